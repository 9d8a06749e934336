// What a robot's torques are linear in: the standard parameters of its links and actuators, and friction.
//   tau = Y(q, v, a) phi + C^T [diag(w) viscous + diag(s) coulomb + offset + diag(w) diag(s) asymmetry
//                               + diag(e) excess + diag(de / dln(decay)) (excess dln(decay))]
// with w = C v, s = tanh(w / width), e the part of the sliding law that its excess is the coefficient of, at the decay
// that is assumed, and C the transmission's coupling. The columns stand in this order: Ixx1 ... m1, Ixx2 ..., Ja1 Ja2
// ..., then of each joint the friction that is asked for, Fv1 Fc1 Fo1 Fa1 Fe1 Fd1 Fv2 ...
#pragma once

#include <Eigen/Dense>

#include <string>
#include <string_view>
#include <vector>

#include "tauhat/core/robot/joint_friction.hpp"
#include "tauhat/core/robot/robot.hpp"

namespace tauhat {

// Which of them the torques contain.
struct TorqueTerms {
  bool actuators = true;  // else the torques are measured behind the gears, where rotors turn nothing
  bool viscous = true, coulomb = true, offset = false, asymmetry = false;
  double width = 0.05;  // rad/s (m/s), of the change of the Coulomb friction's sign
  SlidingLaw law = SlidingLaw::coulomb;
  // s/rad (s/m), of each joint, that a law with an excess is linearised about; zero: its friction does not fall.
  std::vector<double> decay{};
  bool linearised = true;  // with a column for the change of the decay

  bool excess() const noexcept { return law != SlidingLaw::coulomb; }
  TorqueTerms without_excess() const {
    TorqueTerms terms = *this;
    terms.law = SlidingLaw::coulomb;
    return terms;
  }
  int friction_of_each_joint() const noexcept {
    return int{viscous} + int{coulomb} + int{offset} + int{asymmetry} + int{excess()} + int{excess() && linearised};
  }
};

using JointValues = JointVector<double, Eigen::Dynamic>;
using TorqueRows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

class TorqueColumns {
 public:
  explicit TorqueColumns(const Robot<double>& robot, const TorqueTerms& terms = {});

  const Robot<double>& robot() const noexcept { return robot_; }
  const TorqueTerms& terms() const noexcept { return terms_; }
  int joints() const noexcept { return robot_.joints(); }
  int inertial() const noexcept { return robot_.parameter_count(); }
  int count() const noexcept { return inertial() + terms_.friction_of_each_joint() * joints(); }

  // The joint whose link or actuator the column belongs to, from 0.
  int joint(int column) const noexcept;
  // "Ixx1", "Fv6"
  std::string name(int column) const;
  std::string_view unit(int column) const noexcept;

  enum class FrictionKind { viscous, coulomb, offset, asymmetry, excess, decay };
  FrictionKind friction_kind(int column) const noexcept;  // of a column that is not inertial

  // Whether any torque may depend on it.
  bool is_part(int column) const noexcept;

  // One row for each joint, one column for each parameter.
  void fill(const JointValues& position, const JointValues& velocity, const JointValues& acceleration,
            TorqueRows& rows) const;

  // The parameters in the order of the columns, and back; friction that has no column is not part of them, and
  // actuators that are no term have no inertia.
  Eigen::VectorXd parameters(const Robot<double>& robot, const JointFriction<double, Eigen::Dynamic>& friction) const;
  Robot<double> robot_with(const Eigen::VectorXd& parameters) const;
  JointFriction<double, Eigen::Dynamic> friction_with(const Eigen::VectorXd& parameters) const;

 private:
  double friction_term(FrictionKind kind, int joint, double velocity) const noexcept;

  Robot<double> robot_;
  TorqueTerms terms_;
};

}  // namespace tauhat
