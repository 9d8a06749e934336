// All axes of a robot at once, linear about a pose: motor, elastic gear and link of each, the links coupled by the mass
// matrix M(q) (Spong 1987), and the friction of each motor as a disturbance that leaks:
//   J_i w_m,i' = u_i - d_i - b_i w_m,i - tau_i / N_i         tau_i = K_i (q_m,i / N_i - q_i) + D_i (w_m,i / N_i - w_i)
//   M(q) w'    = tau - b_l w - tau_l                           d_i' = -leak_i d_i + noise
// States: motors' positions, links' positions, motors' velocities, links' velocities, disturbances; inputs: the motors'
// torques, then what is known to act at the links. Sensors are the motors' positions. What one axis alone takes for a
// disturbance, the shaking of its neighbours, is part of this model.
#pragma once

#include <Eigen/Cholesky>

#include "tauhat/core/math/matrix.hpp"
#include "tauhat/core/parameter.hpp"

namespace tauhat {

template <class T, int Axes>
struct ElasticAxes {
  static constexpr int kAxes = Axes, kStates = 5 * Axes, kInputs = 2 * Axes, kOutputs = Axes;
  // Where each group of states begins.
  enum Group {
    motor_position = 0,
    load_position = Axes,
    motor_velocity = 2 * Axes,
    load_velocity = 3 * Axes,
    motor_disturbance = 4 * Axes
  };
  using PerAxis = Vector<T, Axes>;

  PerAxis ratio = PerAxis::Ones(), motor_inertia = PerAxis::Ones(), motor_viscous = PerAxis::Zero();
  PerAxis stiffness = PerAxis::Ones(), damping = PerAxis::Zero(), load_viscous = PerAxis::Zero();
  PerAxis leak = PerAxis::Zero();  // 1/s
  // Spectral densities: torques at motors and links, (N m)^2/Hz, and of the disturbances' walk, (N m)^2/s.
  PerAxis motor_noise = PerAxis::Zero(), load_noise = PerAxis::Zero(), disturbance_noise = PerAxis::Zero();

  // Of all axes at once; whoever keeps them in lists of another kind may be listed, too.
  template <class Self, class Visitor>
  static void visit_parameters(Self& self, Visitor&& visit) {
    visit(ParameterInfo{"motor", "inertia", "kg m^2", Range::positive(), "rotor, at the motor side"},
          self.motor_inertia);
    visit(ParameterInfo{"motor", "viscous", "N m s/rad", Range::not_negative(), "friction at the motor side"},
          self.motor_viscous);
    visit(ParameterInfo{"transmission", "ratio", "1", Range::positive(), "motor turns per load turn"}, self.ratio);
    visit(ParameterInfo{"transmission", "stiffness", "N m/rad", Range::positive(), "of the joint, at the load side"},
          self.stiffness);
    visit(ParameterInfo{"transmission", "damping", "N m s/rad", Range::not_negative(), "at the load side"},
          self.damping);
    visit(ParameterInfo{"load", "viscous", "N m s/rad", Range::not_negative(), "friction at the link"},
          self.load_viscous);
  }
};

template <class T, int Axes>
struct LinearAxes {
  using Model = ElasticAxes<T, Axes>;
  Matrix<T, Model::kStates> dynamics = Matrix<T, Model::kStates>::Zero();
  Matrix<T, Model::kStates, Model::kInputs> by_torque = Matrix<T, Model::kStates, Model::kInputs>::Zero();
  Matrix<T, Model::kOutputs, Model::kStates> measured = Matrix<T, Model::kOutputs, Model::kStates>::Zero();
  Matrix<T, Model::kStates> noise = Matrix<T, Model::kStates>::Zero();  // spectral density
  bool mass_is_positive = true;                                         // else nothing else is to be used
};

// The matrices of a pose, by its mass matrix: of the links alone, without the rotors.
template <class T, int Axes>
LinearAxes<T, Axes> linear_axes(const ElasticAxes<T, Axes>& axes, const Matrix<T, Axes>& mass) noexcept {
  using Model = ElasticAxes<T, Axes>;
  using Square = Matrix<T, Axes>;
  LinearAxes<T, Axes> linear;
  const Eigen::LLT<Square> factor(mass);
  linear.mass_is_positive = factor.info() == Eigen::Success;
  if (!linear.mass_is_positive) return linear;
  const Square inverse_mass = factor.solve(Square::Identity());
  const auto block = [&](int row, int column) { return linear.dynamics.template block<Axes, Axes>(row, column); };
  const auto inverse_ratio = axes.ratio.cwiseInverse().eval(),
             inverse_inertia = axes.motor_inertia.cwiseInverse().eval();

  // tau = [K / N, -K, D / N, -D] [q_m, q, w_m, w]
  Matrix<T, Axes, Model::kStates> joint_torque = Matrix<T, Axes, Model::kStates>::Zero();
  joint_torque.template middleCols<Axes>(Model::motor_position) =
      Square(axes.stiffness.cwiseProduct(inverse_ratio).asDiagonal());
  joint_torque.template middleCols<Axes>(Model::load_position) = -Square(axes.stiffness.asDiagonal());
  joint_torque.template middleCols<Axes>(Model::motor_velocity) =
      Square(axes.damping.cwiseProduct(inverse_ratio).asDiagonal());
  joint_torque.template middleCols<Axes>(Model::load_velocity) = -Square(axes.damping.asDiagonal());

  block(Model::motor_position, Model::motor_velocity).setIdentity();
  block(Model::load_position, Model::load_velocity).setIdentity();
  linear.dynamics.template middleRows<Axes>(Model::motor_velocity) =
      (-inverse_inertia.cwiseProduct(inverse_ratio)).asDiagonal() * joint_torque;
  block(Model::motor_velocity, Model::motor_velocity).diagonal() -= axes.motor_viscous.cwiseProduct(inverse_inertia);
  block(Model::motor_velocity, Model::motor_disturbance).diagonal() = -inverse_inertia;
  linear.dynamics.template middleRows<Axes>(Model::load_velocity) = inverse_mass * joint_torque;
  block(Model::load_velocity, Model::load_velocity) -= inverse_mass * axes.load_viscous.asDiagonal();
  block(Model::motor_disturbance, Model::motor_disturbance).diagonal() = -axes.leak;

  linear.by_torque.template block<Axes, Axes>(Model::motor_velocity, 0).diagonal() = inverse_inertia;
  linear.by_torque.template block<Axes, Axes>(Model::load_velocity, Axes) = -inverse_mass;
  linear.measured.template block<Axes, Axes>(0, Model::motor_position).setIdentity();

  linear.noise.template block<Axes, Axes>(Model::motor_velocity, Model::motor_velocity).diagonal() =
      axes.motor_noise.cwiseProduct(inverse_inertia).cwiseProduct(inverse_inertia);
  linear.noise.template block<Axes, Axes>(Model::load_velocity, Model::load_velocity) =
      inverse_mass * axes.load_noise.asDiagonal() * inverse_mass.transpose();
  linear.noise.template block<Axes, Axes>(Model::motor_disturbance, Model::motor_disturbance).diagonal() =
      axes.disturbance_noise;
  return linear;
}

}  // namespace tauhat
