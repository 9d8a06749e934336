// An elastic joint whose motor has LuGre friction, under gravity: the linear joint steps exactly under torques that are
// held, the bristle steps exactly at a velocity that is held.
//   x+ = Phi x + Gamma [u - tau_f, tau_l + gravity(q_m / N), tau_n],   z+ as in mesh_lugre.hpp
// The joint's viscous friction belongs to Phi. N counts the joint's states, without the bristle.
#pragma once

#include <array>

#include "tauhat/core/filters/propagate.hpp"
#include "tauhat/core/friction/mesh_lugre.hpp"
#include "tauhat/core/linear/hold.hpp"
#include "tauhat/core/models/gravity_torque.hpp"
#include "tauhat/core/models/linear_joint.hpp"

namespace tauhat {

template <class T, int N>
class JointWithBristles {
 public:
  using Scalar = T;
  static constexpr int kStates = N + 1, kBristle = N, kInputs = kJointInputs;
  using State = Vector<T, kStates>;
  using Inputs = Vector<T, kInputs>;
  // Those of the linear joint, and what the motor loses beside its viscous friction: bristle and disturbance.
  static constexpr int kFrictionOutput = kLinearJointOutputs;

  // `period` is what the filter steps by; another interval is discretised when it comes.
  JointWithBristles(const LinearJoint<T, N>& joint, const MeshLuGre<T>& friction, const GravityTorque<T>& gravity,
                    T bristle_noise, T period) noexcept
      : joint_(joint), friction_(friction), gravity_(gravity), bristle_noise_(bristle_noise), usual_(over(period)) {}

  const LinearJoint<T, N>& joint() const noexcept { return joint_; }
  // Another pose has another mass matrix.
  void set_joint(const LinearJoint<T, N>& joint, const GravityTorque<T>& gravity) noexcept {
    joint_ = joint, gravity_ = gravity;
    usual_ = over(usual_.period);
  }

  struct Step {
    State mean;
    Discrete<T, kStates> step;
  };
  Step step(const State& x, const Inputs& u, T dt) const noexcept {
    return dt == usual_.period ? stepped(usual_, x, u) : stepped(over(dt), x, u);
  }

  T output(int index, const State& x, const Inputs&) const noexcept {
    if (index != kFrictionOutput) return joint_.output(index).dot(x.template head<N>());
    return friction_.torque(velocity(x), x[kBristle], passed_on(x)) +
           joint_.output(kDisturbance).dot(x.template head<N>());
  }
  OutputGradient<T, kStates, kInputs> output_gradient(int index, const State&, const Inputs&) const noexcept {
    OutputGradient<T, kStates, kInputs> gradient{State::Zero(), Inputs::Zero()};
    const bool is_friction = index == kFrictionOutput;
    gradient.by_state.template head<N>() = joint_.output(is_friction ? kDisturbance : index);
    // Of the bristle's force only the spring: its damping is small where it is bent for long.
    if (is_friction) gradient.by_state[kBristle] = friction_.bristles.bristle_stiffness;
    return gradient;
  }
  int output_state(int index) const noexcept { return index == kMotorPosition ? kMotorPosition : -1; }

 private:
  static constexpr int kMotorPosition = index_of(kLinearJointSignals, "motor.position");
  static constexpr int kTransmission = index_of(kLinearJointSignals, "transmission.torque");
  static constexpr int kDisturbance = index_of(kLinearJointSignals, "motor.disturbance");

  // What depends on the interval alone.
  struct Interval {
    T period;
    Sampled<T, N, kJointInputs> held;
    Discrete<T, kStates> step;  // of the joint, without friction's slope
  };
  Interval over(T period) const noexcept {
    Interval interval{period, tauhat::held<T, N, kJointInputs>(joint_.dynamics, joint_.by_torque, period), {}};
    interval.step.transition.template topLeftCorner<N, N>() = interval.held.transition;
    interval.step.noise.template topLeftCorner<N, N>() =
        discretise_correlated<T, N>(joint_.dynamics, joint_.noise, period).noise.template topRows<N>();
    interval.step.noise(kBristle, kBristle) = bristle_noise_ * period;
    return interval;
  }

  Step stepped(const Interval& over, const State& x, const Inputs& u) const noexcept {
    const auto bent = friction_.step(velocity(x), x[kBristle], passed_on(x), over.period);
    Inputs acting = u;
    acting[motor_torque_input] -= bent.force;
    acting[load_torque_input] += gravity_.torque(x[kMotorPosition] / joint_.ratio);
    Step next{State::Zero(), over.step};
    next.mean.template head<N>() = over.held.transition * x.template head<N>() + over.held.by_input * acting;
    next.mean[kBristle] = bent.memory;
    // d x+ / d (w_m, z) = -Gamma_m d tau_f / d (w_m, z). Gravity's slope and the mesh's share are small beside these.
    auto& transition = next.step.transition;
    const Vector<T, N> by_torque = over.held.by_input.col(motor_torque_input);
    transition.col(joint_.bodies).template head<N>() -= bent.force_gradient[0] * by_torque;
    transition.col(kBristle).template head<N>() = -bent.force_gradient[1] * by_torque;
    transition(kBristle, joint_.bodies) = bent.memory_gradient[0];
    transition(kBristle, kBristle) = bent.memory_gradient[1];
    return next;
  }

  // The motor's comes first among the velocities.
  T velocity(const State& x) const noexcept { return x[joint_.bodies]; }
  // The torque of the teeth, at the motor.
  T passed_on(const State& x) const noexcept {
    if (friction_.load_share == T(0)) return T(0);
    return joint_.output(kTransmission).dot(x.template head<N>()) / joint_.ratio;
  }

  LinearJoint<T, N> joint_;
  MeshLuGre<T> friction_;
  GravityTorque<T> gravity_;
  T bristle_noise_;
  Interval usual_;
};

}  // namespace tauhat
