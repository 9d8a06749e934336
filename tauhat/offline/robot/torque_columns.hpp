// What a robot's torques are linear in: the standard parameters of its links and actuators, and friction.
//   tau = Y(q, v, a) phi + C^T [diag(w) viscous + diag(s) coulomb + offset + diag(w) diag(s) asymmetry]
// with w = C v, s = tanh(w / width) and C the transmission's coupling. The columns stand in this order: Ixx1 ... m1,
// Ixx2 ..., Ja1 Ja2 ..., then of each joint the friction that is asked for, Fv1 Fc1 Fo1 Fa1 Fv2 ...
#pragma once

#include <Eigen/Dense>

#include <string>
#include <string_view>

#include "tauhat/core/robot/joint_friction.hpp"
#include "tauhat/core/robot/robot.hpp"

namespace tauhat {

struct FrictionColumns {
  bool viscous = true, coulomb = true, offset = false, asymmetry = false;
  double width = 0.05;  // rad/s (m/s), of the change of the Coulomb friction's sign

  int for_each_joint() const noexcept { return int{viscous} + int{coulomb} + int{offset} + int{asymmetry}; }
};

using JointValues = JointVector<double, Eigen::Dynamic>;
using TorqueRows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

class TorqueColumns {
 public:
  explicit TorqueColumns(const Robot<double>& robot, const FrictionColumns& friction = {});

  const Robot<double>& robot() const noexcept { return robot_; }
  const FrictionColumns& friction() const noexcept { return friction_; }
  int joints() const noexcept { return robot_.joints(); }
  int inertial() const noexcept { return robot_.parameter_count(); }
  int count() const noexcept { return inertial() + friction_.for_each_joint() * joints(); }

  // The joint whose link or actuator the column belongs to, from 0.
  int joint(int column) const noexcept;
  // "Ixx1", "Fv6"
  std::string name(int column) const;
  std::string_view unit(int column) const noexcept;

  enum class FrictionKind { viscous, coulomb, offset, asymmetry };
  FrictionKind friction_kind(int column) const noexcept;  // of a column that is not inertial

  // One row for each joint, one column for each parameter.
  void fill(const JointValues& position, const JointValues& velocity, const JointValues& acceleration,
            TorqueRows& rows) const;

  // The parameters in the order of the columns, and back; friction that has no column is not part of them.
  Eigen::VectorXd parameters(const Robot<double>& robot, const JointFriction<double, Eigen::Dynamic>& friction) const;
  Robot<double> robot_with(const Eigen::VectorXd& parameters) const;
  JointFriction<double, Eigen::Dynamic> friction_with(const Eigen::VectorXd& parameters) const;

 private:
  Robot<double> robot_;
  FrictionColumns friction_;
};

}  // namespace tauhat
