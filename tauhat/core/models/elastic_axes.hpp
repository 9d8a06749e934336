// All axes of a robot at once, linear about a pose: motor, elastic gear and link of each, the links coupled by the mass
// matrix M(q) (Spong 1987), and the friction of each motor as a disturbance that leaks:
//   J_i w_m,i' = u_i - d_i - b_i w_m,i - tau_i / N_i         tau_i = K_i (q_m,i / N_i - q_i) + D_i (w_m,i / N_i - w_i)
//   M(q) w'    = tau - b_l w - tau_l                           d_i' = -leak_i d_i + noise
// States: motors' positions, links' positions, motors' velocities, links' velocities, disturbances; inputs: the motors'
// torques, then what is known to act at the links. Sensors are the motors' positions. What one axis alone takes for a
// disturbance, the shaking of its neighbours, is part of this model.
#pragma once

#include <Eigen/Cholesky>

#include "tauhat/core/linear/sizes.hpp"
#include "tauhat/core/models/joint_parameters.hpp"

namespace tauhat {

template <class T, int Axes>
struct ElasticAxes {
  static constexpr bool kIsAnyNumber = Axes == Eigen::Dynamic;
  static constexpr int kAxes = Axes, kOutputs = Axes;
  static constexpr int kStates = kIsAnyNumber ? Eigen::Dynamic : 5 * Axes;
  static constexpr int kInputs = kIsAnyNumber ? Eigen::Dynamic : 2 * Axes;
  // Where each group of states begins; of any number of axes, how many groups stand before it.
  enum Group {
    motor_position = 0,
    load_position = kIsAnyNumber ? 1 : Axes,
    motor_velocity = 2 * load_position,
    load_velocity = 3 * load_position,
    motor_disturbance = 4 * load_position
  };
  using PerAxis = Vector<T, Axes>;

  explicit ElasticAxes(int axes = kIsAnyNumber ? 0 : Axes) noexcept
      : ratio(PerAxis::Ones(axes)),
        motor_inertia(ratio),
        motor_viscous(PerAxis::Zero(axes)),
        stiffness(ratio),
        damping(motor_viscous),
        load_viscous(motor_viscous),
        leak(motor_viscous),
        motor_noise(motor_viscous),
        load_noise(motor_viscous),
        disturbance_noise(motor_viscous) {}

  PerAxis ratio, motor_inertia, motor_viscous;
  PerAxis stiffness, damping, load_viscous;
  PerAxis leak;  // 1/s
  // Spectral densities: torques at motors and links, (N m)^2/Hz, and of the disturbances' walk, (N m)^2/s.
  PerAxis motor_noise, load_noise, disturbance_noise;

  int count() const noexcept { return rows_of(ratio); }
  int states() const noexcept { return 5 * count(); }
  int inputs() const noexcept { return 2 * count(); }
  int begin(Group group) const noexcept { return kIsAnyNumber ? group * count() : int(group); }

  // Of all axes at once; whoever keeps them in lists of another kind may be listed, too.
  template <class Self, class Visitor>
  static void visit_parameters(Self& self, Visitor&& visit) {
    visit_motor_and_transmission(self, visit);
    visit_friction_of_link(self, visit);
  }
};

template <class T, int Axes>
struct LinearAxes {
  using Model = ElasticAxes<T, Axes>;
  Matrix<T, Model::kStates> dynamics;
  Matrix<T, Model::kStates, Model::kInputs> by_torque;
  Matrix<T, Model::kOutputs, Model::kStates> measured;
  Matrix<T, Model::kStates> noise;  // spectral density
  bool mass_is_positive = true;     // else nothing else is to be used

  explicit LinearAxes(int axes = Model::kIsAnyNumber ? 0 : Axes) noexcept
      : dynamics(Matrix<T, Model::kStates>::Zero(5 * axes, 5 * axes)),
        by_torque(Matrix<T, Model::kStates, Model::kInputs>::Zero(5 * axes, 2 * axes)),
        measured(Matrix<T, Model::kOutputs, Model::kStates>::Zero(axes, 5 * axes)),
        noise(dynamics) {}
};

// The matrices of a pose, by its mass matrix: of the links alone, without the rotors.
template <class T, int Axes>
LinearAxes<T, Axes> linear_axes(const ElasticAxes<T, Axes>& axes, const Matrix<T, Axes>& mass) noexcept {
  using Model = ElasticAxes<T, Axes>;
  using Square = Matrix<T, Axes>;
  const int n = axes.count();
  LinearAxes<T, Axes> linear(n);
  const Eigen::LLT<Square> factor(mass);
  linear.mass_is_positive = factor.info() == Eigen::Success;
  if (!linear.mass_is_positive) return linear;
  const Square inverse_mass = factor.solve(Square::Identity(n, n));
  const int motor_position = axes.begin(Model::motor_position), load_position = axes.begin(Model::load_position),
            motor_velocity = axes.begin(Model::motor_velocity), load_velocity = axes.begin(Model::load_velocity),
            disturbance = axes.begin(Model::motor_disturbance);
  const auto block = [n](auto& matrix, int row, int column) {
    return matrix.template block<Axes, Axes>(row, column, n, n);
  };
  const auto inverse_ratio = axes.ratio.cwiseInverse().eval(),
             inverse_inertia = axes.motor_inertia.cwiseInverse().eval();

  // tau = [K / N, -K, D / N, -D] [q_m, q, w_m, w]
  using Rows = Matrix<T, Axes, Model::kStates>;
  Rows joint_torque = Rows::Zero(n, axes.states());
  block(joint_torque, 0, motor_position).diagonal() = axes.stiffness.cwiseProduct(inverse_ratio);
  block(joint_torque, 0, load_position).diagonal() = -axes.stiffness;
  block(joint_torque, 0, motor_velocity).diagonal() = axes.damping.cwiseProduct(inverse_ratio);
  block(joint_torque, 0, load_velocity).diagonal() = -axes.damping;

  auto& a = linear.dynamics;
  block(a, motor_position, motor_velocity).setIdentity();
  block(a, load_position, load_velocity).setIdentity();
  a.template middleRows<Axes>(motor_velocity, n) =
      (-inverse_inertia.cwiseProduct(inverse_ratio)).asDiagonal() * joint_torque;
  block(a, motor_velocity, motor_velocity).diagonal() -= axes.motor_viscous.cwiseProduct(inverse_inertia);
  block(a, motor_velocity, disturbance).diagonal() = -inverse_inertia;
  a.template middleRows<Axes>(load_velocity, n) = inverse_mass * joint_torque;
  block(a, load_velocity, load_velocity) -= inverse_mass * axes.load_viscous.asDiagonal();
  block(a, disturbance, disturbance).diagonal() = -axes.leak;

  block(linear.by_torque, motor_velocity, 0).diagonal() = inverse_inertia;
  block(linear.by_torque, load_velocity, n) = -inverse_mass;
  block(linear.measured, 0, motor_position).setIdentity();

  block(linear.noise, motor_velocity, motor_velocity).diagonal() =
      axes.motor_noise.cwiseProduct(inverse_inertia).cwiseProduct(inverse_inertia);
  block(linear.noise, load_velocity, load_velocity) =
      inverse_mass * axes.load_noise.asDiagonal() * inverse_mass.transpose();
  block(linear.noise, disturbance, disturbance).diagonal() = axes.disturbance_noise;
  return linear;
}

}  // namespace tauhat
