// What a robot's torques are linear in: the standard parameters of its links and actuators, and friction.
//   tau = Y(q, v, a) phi + C^T [diag(w) viscous + diag(s) coulomb + offset + diag(w) diag(s) asymmetry
//                               + diag(e) excess + diag(de / dln(decay)) (excess dln(decay))
//                               + diag(ds / dln(reach)) (coulomb dln(reach)) + diag(|load| tanh(w / width)) load]
// with w = C v, s = tanh(w / width), e the part of the sliding law that its excess is the coefficient of, at the decay
// that is assumed, and C the transmission's coupling. Of a law with a memory s and e are what friction_history.hpp
// makes of the motion so far; the load is Y phi of parameters that are assumed, too. The columns stand in this order:
// Ixx1 ... m1, Ixx2 ..., Ja1 Ja2 ..., then of each joint the friction that is asked for, Fv1 Fc1 Fo1 Fa1 Fe1 Fd1 Fr1
// Fl1 Fv2 ...
#pragma once

#include <Eigen/Dense>

#include <string>
#include <string_view>
#include <vector>

#include "tauhat/core/robot/joint_friction.hpp"
#include "tauhat/core/robot/robot.hpp"
#include "tauhat/offline/robot/friction_history.hpp"

namespace tauhat {

// Which of them the torques contain.
struct TorqueTerms {
  bool actuators = true;  // else the torques are measured behind the gears, where rotors turn nothing
  bool viscous = true, coulomb = true, offset = false, asymmetry = false;
  double width = 0.05;  // rad/s (m/s), of the change of the Coulomb friction's sign
  SlidingLaw law = SlidingLaw::coulomb;
  // Of each joint, that the law is linearised about, as friction_history.hpp has them: s/rad (s/m), rad (m) and 1.
  std::vector<double> decay{}, reach{}, ratio{};
  bool linearised = true;  // with columns for the changes of decay and reach
  bool load = false;       // friction that grows with the torque passed on
  // The inertial parameters whose torque that is; empty: all ones, which only tell that such a column is independent.
  Eigen::VectorXd load_parameters{};

  bool excess() const noexcept { return has_excess(law); }
  bool memory() const noexcept { return has_memory(law); }
  AssumedFriction shape() const { return {width, law, decay, reach, ratio}; }
  // Nothing but what every joint has.
  bool is_plain() const noexcept { return law == SlidingLaw::coulomb && !load; }
  TorqueTerms plain() const {
    TorqueTerms terms = *this;
    terms.law = SlidingLaw::coulomb;
    terms.load = false;
    return terms;
  }
  // Friction as it is where no contact bends any more: what an instant tells by itself.
  TorqueTerms without_history() const {
    TorqueTerms terms = *this;
    if (memory()) terms.law = law == SlidingLaw::lugre ? SlidingLaw::stribeck : SlidingLaw::coulomb;
    return terms;
  }
  int friction_of_each_joint() const noexcept {
    return int{viscous} + int{coulomb} + int{offset} + int{asymmetry} + int{excess()} + int{excess() && linearised} +
           int{memory() && linearised} + int{load};
  }
};

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

  enum class FrictionKind { viscous, coulomb, offset, asymmetry, excess, decay, reach, load };
  FrictionKind friction_kind(int column) const noexcept;  // of a column that is not inertial
  // An actuator's inertia, at its joint: kg m^2, or kg where the joint slides.
  bool is_rotor(int column) const noexcept;
  // It stands for the change of what the torques are not linear in.
  bool is_change(int column) const noexcept;

  // Whether any torque may depend on it.
  bool is_part(int column) const noexcept;

  // One row for each joint, one column for each parameter. What a law with a memory remembers at the sample `at` is in
  // `history`; without one it has none.
  void fill(const JointValues& position, const JointValues& velocity, const JointValues& acceleration, TorqueRows& rows,
            const FrictionHistory* history = nullptr, std::size_t at = 0) const;

  // The parameters in the order of the columns, and back; friction that has no column is not part of them, and
  // actuators that are no term have no inertia.
  Eigen::VectorXd parameters(const Robot<double>& robot, const JointFriction<double, Eigen::Dynamic>& friction) const;
  Robot<double> robot_with(const Eigen::VectorXd& parameters) const;
  JointFriction<double, Eigen::Dynamic> friction_with(const Eigen::VectorXd& parameters) const;

 private:
  double friction_term(FrictionKind kind, int joint, double velocity) const noexcept;
  double remembered_term(FrictionKind kind, int joint, double velocity, const RememberedTerms& terms) const noexcept;

  Robot<double> robot_;
  TorqueTerms terms_;
};

}  // namespace tauhat
