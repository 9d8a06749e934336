#include "tauhat/offline/robot/torque_columns.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>

#include "tauhat/core/robot/parameters.hpp"
#include "tauhat/core/robot/regressor.hpp"

namespace tauhat {
namespace {

using Friction = JointFriction<double, Eigen::Dynamic>;
using Kind = TorqueColumns::FrictionKind;

template <class F>
auto& values_of(F& friction, Kind kind) {
  switch (kind) {
    case Kind::viscous:
      return friction.viscous;
    case Kind::coulomb:
      return friction.coulomb;
    case Kind::offset:
      return friction.offset;
    case Kind::asymmetry:
      break;
  }
  return friction.asymmetry;
}

}  // namespace

TorqueColumns::TorqueColumns(const Robot<double>& robot, const FrictionColumns& friction)
    : robot_(robot), friction_(friction) {}

int TorqueColumns::joint(int column) const noexcept {
  return column < inertial() ? RobotParameter::at(column, joints()).joint
                             : (column - inertial()) / friction_.for_each_joint();
}

TorqueColumns::FrictionKind TorqueColumns::friction_kind(int column) const noexcept {
  int number = (column - inertial()) % friction_.for_each_joint();
  if (friction_.viscous && number-- == 0) return FrictionKind::viscous;
  if (friction_.coulomb && number-- == 0) return FrictionKind::coulomb;
  if (friction_.offset && number-- == 0) return FrictionKind::offset;
  return FrictionKind::asymmetry;
}

std::string TorqueColumns::name(int column) const {
  if (column < inertial()) return std::string(RobotParameter::at(column, joints()).name().view());
  constexpr std::array<std::string_view, 4> kSymbols{"Fv", "Fc", "Fo", "Fa"};
  return fmt::format("{}{}", kSymbols[static_cast<std::size_t>(friction_kind(column))], joint(column) + 1);
}

std::string_view TorqueColumns::unit(int column) const noexcept {
  if (column < inertial()) return RobotParameter::at(column, joints()).description().unit;
  const bool turns = robot_.joint(joint(column)).is_revolute();
  const FrictionKind kind = friction_kind(column);
  if (kind == FrictionKind::viscous || kind == FrictionKind::asymmetry) return turns ? "N m s/rad" : "N s/m";
  return turns ? "N m" : "N";
}

void TorqueColumns::fill(const JointValues& position, const JointValues& velocity, const JointValues& acceleration,
                         TorqueRows& rows) const {
  rows.resize(joints(), count());
  rows.leftCols(inertial()) = torque_regressor(robot_, position, velocity, acceleration);
  const auto& transmission = robot_.transmission();
  const JointValues actuator = transmission.actuator_motion(velocity);
  for (int column = inertial(); column < count(); ++column) {
    const double w = actuator[joint(column)];
    const FrictionKind kind = friction_kind(column);
    const double torque = kind == FrictionKind::viscous   ? w
                          : kind == FrictionKind::coulomb ? std::tanh(w / friction_.width)
                          : kind == FrictionKind::offset  ? 1.0
                                                          : w * std::tanh(w / friction_.width);
    rows.col(column) = transmission.coupling().row(joint(column)).transpose() * torque;
  }
}

Eigen::VectorXd TorqueColumns::parameters(const Robot<double>& robot, const Friction& friction) const {
  Eigen::VectorXd all(count());
  all.head(inertial()) = robot.parameters();
  for (int column = inertial(); column < count(); ++column)
    all[column] = values_of(friction, friction_kind(column))[joint(column)];
  return all;
}

Robot<double> TorqueColumns::robot_with(const Eigen::VectorXd& parameters) const {
  Robot<double> robot = robot_;
  robot.set_parameters(parameters.head(inertial()));
  return robot;
}

Friction TorqueColumns::friction_with(const Eigen::VectorXd& parameters) const {
  Friction friction(joints());
  friction.width = friction_.width;
  for (int column = inertial(); column < count(); ++column)
    values_of(friction, friction_kind(column))[joint(column)] = parameters[column];
  return friction;
}

}  // namespace tauhat
