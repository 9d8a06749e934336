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

// Null for what is no parameter of the law: the change of its decay or reach.
template <class F>
auto* values_of(F& friction, Kind kind) {
  switch (kind) {
    case Kind::viscous:
      return &friction.viscous;
    case Kind::coulomb:
      return &friction.coulomb;
    case Kind::offset:
      return &friction.offset;
    case Kind::asymmetry:
      return &friction.asymmetry;
    case Kind::excess:
      return &friction.excess;
    case Kind::load:
      return &friction.load;
    case Kind::decay:
    case Kind::reach:
      break;
  }
  return decltype(&friction.excess){nullptr};
}

}  // namespace

TorqueColumns::TorqueColumns(const Robot<double>& robot, const TorqueTerms& terms) : robot_(robot), terms_(terms) {
  const auto count = static_cast<std::size_t>(joints());
  terms_.decay.resize(count, kUsualDecay);
  terms_.reach.resize(count, 0.0);
  terms_.ratio.resize(count, 0.0);
}

int TorqueColumns::joint(int column) const noexcept {
  return column < inertial() ? RobotParameter::at(column, joints()).joint
                             : (column - inertial()) / terms_.friction_of_each_joint();
}

TorqueColumns::FrictionKind TorqueColumns::friction_kind(int column) const noexcept {
  int number = (column - inertial()) % terms_.friction_of_each_joint();
  if (terms_.viscous && number-- == 0) return FrictionKind::viscous;
  if (terms_.coulomb && number-- == 0) return FrictionKind::coulomb;
  if (terms_.offset && number-- == 0) return FrictionKind::offset;
  if (terms_.asymmetry && number-- == 0) return FrictionKind::asymmetry;
  if (terms_.excess() && number-- == 0) return FrictionKind::excess;
  if (terms_.excess() && terms_.linearised && number-- == 0) return FrictionKind::decay;
  return terms_.memory() && terms_.linearised && number == 0 ? FrictionKind::reach : FrictionKind::load;
}

bool TorqueColumns::is_rotor(int column) const noexcept {
  return column < inertial() && RobotParameter::at(column, joints()).kind == kInertialParameters;
}

bool TorqueColumns::is_change(int column) const noexcept {
  if (column < inertial()) return false;
  const FrictionKind kind = friction_kind(column);
  return kind == FrictionKind::decay || kind == FrictionKind::reach;
}

std::string TorqueColumns::name(int column) const {
  if (column < inertial()) return std::string(RobotParameter::at(column, joints()).name().view());
  constexpr std::array<std::string_view, 8> kSymbols{"Fv", "Fc", "Fo", "Fa", "Fe", "Fd", "Fr", "Fl"};
  return fmt::format("{}{}", kSymbols[static_cast<std::size_t>(friction_kind(column))], joint(column) + 1);
}

std::string_view TorqueColumns::unit(int column) const noexcept {
  const bool turns = robot_.joint(joint(column)).is_revolute();
  if (column < inertial())
    return is_rotor(column) && !turns ? "kg" : RobotParameter::at(column, joints()).description().unit;
  const FrictionKind kind = friction_kind(column);
  if (kind == FrictionKind::load) return "1";
  if (kind == FrictionKind::viscous || kind == FrictionKind::asymmetry) return turns ? "N m s/rad" : "N s/m";
  return turns ? "N m" : "N";
}

bool TorqueColumns::is_part(int column) const noexcept {
  if (column < inertial()) return terms_.actuators || !is_rotor(column);
  const FrictionKind kind = friction_kind(column);
  const auto at = static_cast<std::size_t>(joint(column));
  if (kind == FrictionKind::reach) return terms_.reach[at] > 0.0;
  const bool falls = kind == FrictionKind::excess || kind == FrictionKind::decay;
  return !falls || terms_.decay[at] > 0.0;
}

double TorqueColumns::friction_term(FrictionKind kind, int joint, double velocity) const noexcept {
  const double decay = terms_.decay[static_cast<std::size_t>(joint)];
  // The law with nothing but an excess of one, its decay changed by a factor.
  const auto excess = [&](double factor) {
    if (decay == 0.0) return 0.0;
    Friction one(1);
    one.law = terms_.law, one.width = terms_.width, one.excess[0] = 1.0, one.decay[0] = decay * factor;
    return one.sliding(0, velocity).torque;
  };
  constexpr double kChange = 1e-4;  // of the decay, as a share: the difference is exact to its square
  switch (kind) {
    case FrictionKind::viscous:
      return velocity;
    case FrictionKind::coulomb:
      return std::tanh(velocity / terms_.width);
    case FrictionKind::offset:
      return 1.0;
    case FrictionKind::asymmetry:
      return velocity * std::tanh(velocity / terms_.width);
    case FrictionKind::excess:
      return excess(1.0);
    case FrictionKind::reach:
      // In place of a history: what differs from all others, and only around standstill.
      return terms_.reach[static_cast<std::size_t>(joint)] > 0.0 ? smooth_sign(velocity, terms_.width).slope : 0.0;
    case FrictionKind::load:
      return std::tanh(velocity / terms_.width);  // of each unit of the load
    case FrictionKind::decay:
      break;
  }
  return (excess(1.0 + kChange) - excess(1.0 - kChange)) / (2.0 * kChange);
}

double TorqueColumns::remembered_term(FrictionKind kind, int joint, double velocity,
                                      const RememberedTerms& terms) const noexcept {
  switch (kind) {
    case FrictionKind::coulomb:
      return terms.coulomb;
    case FrictionKind::excess:
      return terms.excess;
    case FrictionKind::decay:
      return terms.decay;
    case FrictionKind::reach:
      return terms.reach;
    default:
      return friction_term(kind, joint, velocity);
  }
}

void TorqueColumns::fill(const JointValues& position, const JointValues& velocity, const JointValues& acceleration,
                         TorqueRows& rows, const FrictionHistory* history, std::size_t at) const {
  rows.resize(joints(), count());
  rows.leftCols(inertial()) = torque_regressor(robot_, position, velocity, acceleration);
  if (!terms_.actuators) rows.middleCols(kInertialParameters * joints(), joints()).setZero();
  const auto& transmission = robot_.transmission();
  const JointValues actuator = transmission.actuator_motion(velocity);
  for (int column = inertial(); column < count(); ++column) {
    const int j = joint(column);
    const FrictionKind kind = friction_kind(column);
    double torque = history != nullptr && history->covers(j) ? remembered_term(kind, j, actuator[j], history->at(j, at))
                                                             : friction_term(kind, j, actuator[j]);
    if (kind == FrictionKind::load) {
      const auto own = rows.row(j).head(inertial());
      torque *= std::abs(terms_.load_parameters.size() > 0 ? own.dot(terms_.load_parameters) : own.sum());
    }
    rows.col(column) = transmission.coupling().row(j).transpose() * torque;
  }
}

Eigen::VectorXd TorqueColumns::parameters(const Robot<double>& robot, const Friction& friction) const {
  Eigen::VectorXd all(count());
  all.head(inertial()) = robot.parameters();
  for (int column = inertial(); column < count(); ++column) {
    const auto* values = values_of(friction, friction_kind(column));
    all[column] = values != nullptr ? (*values)[joint(column)] : 0.0;
  }
  return all;
}

Robot<double> TorqueColumns::robot_with(const Eigen::VectorXd& parameters) const {
  Robot<double> robot = robot_;
  robot.set_parameters(parameters.head(inertial()));
  if (!terms_.actuators) robot.actuator_inertia().setZero();
  return robot;
}

Friction TorqueColumns::friction_with(const Eigen::VectorXd& parameters) const {
  Friction friction(joints());
  friction.width = terms_.width;
  friction.law = terms_.law;
  for (int column = inertial(); column < count(); ++column) {
    auto* values = values_of(friction, friction_kind(column));
    if (values != nullptr && is_part(column)) (*values)[joint(column)] = parameters[column];
  }
  for (int j = 0; j < joints(); ++j) {
    const double decay = terms_.decay[static_cast<std::size_t>(j)];
    if (decay > 0.0) friction.decay[j] = decay;
    friction.reach[j] = terms_.memory() ? terms_.reach[static_cast<std::size_t>(j)] : 0.0;
  }
  return friction;
}

}  // namespace tauhat
