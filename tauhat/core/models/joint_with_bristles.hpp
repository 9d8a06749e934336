// An elastic joint whose motor has LuGre friction, under gravity: the linear joint steps exactly under torques that are
// held, the bristle steps exactly at a velocity that is held.
//   x+ = Phi x + Gamma_m (u - tau_f) + Gamma_l (tau_l + gravity(q_m / N)),   z+ as in mesh_lugre.hpp
// M is an ElasticJoint, with what is unknown added to it. Its viscous friction belongs to Phi.
#pragma once

#include <array>

#include "tauhat/core/filters/propagate.hpp"
#include "tauhat/core/friction/mesh_lugre.hpp"
#include "tauhat/core/linear/hold.hpp"
#include "tauhat/core/models/elastic_joint.hpp"
#include "tauhat/core/models/gravity_torque.hpp"

namespace tauhat {

// The joint inside its unknowns.
template <class M>
const auto& bare_joint(const M& model) noexcept {
  if constexpr (requires { model.model; }) {
    return bare_joint(model.model);
  } else {
    return model;
  }
}

template <Model M>
class JointWithBristles {
 public:
  using Scalar = typename M::Scalar;
  using T = Scalar;
  using Joint = M;
  enum Input { motor_torque, load_torque, kInputs };
  static constexpr int kStates = M::kStates + 1, kBristle = M::kStates;
  static constexpr int kModelOutputs = static_cast<int>(M::kOutputs.size());
  static constexpr auto kOutputs = [] {
    std::array<Signal, M::kOutputs.size() + 1> outputs{};
    for (std::size_t i = 0; i < M::kOutputs.size(); ++i) outputs[i] = M::kOutputs[i];
    outputs.back() = {"motor.friction", "N m"};  // beside the viscous: bristles and disturbance
    return outputs;
  }();
  using State = Vector<T, kStates>;
  using Inputs = Vector<T, kInputs>;

  // `period` is what the filter steps by; another interval is discretised when it comes.
  JointWithBristles(const M& joint, const MeshLuGre<T>& friction, const GravityTorque<T>& gravity, T bristle_noise,
                    T period) noexcept
      : joint_(joint), friction_(friction), gravity_(gravity), bristle_noise_(bristle_noise), usual_(over(period)) {}

  const M& joint() const noexcept { return joint_; }

  struct Step {
    State mean;
    Discrete<T, kStates> step;
  };
  Step step(const State& x, const Inputs& u, T dt) const noexcept {
    return dt == usual_.period ? stepped(usual_, x, u) : stepped(over(dt), x, u);
  }

  T output(int index, const State& x, const Inputs& u) const noexcept {
    if (index < kModelOutputs) return joint_.output(index, joint_state(x), joint_input(x, u));
    return friction_.torque(x[kMotorVelocity], x[kBristle], passed_on(x)) +
           joint_.output(kDisturbance, joint_state(x), joint_input(x, u));
  }
  OutputGradient<T, kStates, kInputs> output_gradient(int index, const State& x, const Inputs& u) const noexcept {
    OutputGradient<T, kStates, kInputs> gradient{State::Zero(), Inputs::Zero()};
    const bool is_friction = index >= kModelOutputs;
    gradient.by_state.template head<M::kStates>() =
        differentiate_output(joint_, is_friction ? kDisturbance : index, joint_state(x), joint_input(x, u)).by_state;
    // Of the bristle's force only the spring: its damping is small where it is bent for long.
    if (is_friction) gradient.by_state[kBristle] = friction_.bristles.bristle_stiffness;
    return gradient;
  }
  int output_state(int index) const noexcept { return index < kModelOutputs ? joint_.output_state(index) : -1; }

 private:
  static constexpr int kMotorPosition = index_of(M::kOutputs, "motor.position");
  static constexpr int kMotorVelocity = index_of(M::kOutputs, "motor.velocity");
  static constexpr int kTransmission = index_of(M::kOutputs, "transmission.torque");
  static constexpr int kDisturbance = index_of(M::kOutputs, "motor.disturbance");

  // What depends on the interval alone.
  struct Interval {
    T period;
    Sampled<T, M::kStates, M::kInputs> held;
    Discrete<T, kStates> step;  // of the joint, without friction's slope
  };
  Interval over(T period) const noexcept {
    const auto at = linearise(joint_, StateOf<M>::Zero(), InputOf<M>::Zero());
    const auto joint = discretise_correlated<T, M::kStates>(at.by_state, noise_density(joint_), period);
    Interval interval{period, tauhat::held<T, M::kStates, M::kInputs>(at.by_state, at.by_input, period), {}};
    interval.step.transition.template topLeftCorner<M::kStates, M::kStates>() = interval.held.transition;
    interval.step.noise.template topLeftCorner<M::kStates, M::kStates>() = joint.noise.template topRows<M::kStates>();
    interval.step.noise(kBristle, kBristle) = bristle_noise_ * period;
    return interval;
  }

  Step stepped(const Interval& over, const State& x, const Inputs& u) const noexcept {
    const auto bent = friction_.step(x[kMotorVelocity], x[kBristle], passed_on(x), over.period);
    InputOf<M> acting = joint_input(x, u);
    acting[motor_torque] -= bent.force;
    Step next{State::Zero(), over.step};
    next.mean.template head<M::kStates>() = over.held.transition * joint_state(x) + over.held.by_input * acting;
    next.mean[kBristle] = bent.memory;
    // d x+ / d (w_m, z) = -Gamma_m d tau_f / d (w_m, z). Gravity's slope and the mesh's share are small beside these.
    auto& transition = next.step.transition;
    const auto by_torque = over.held.by_input.col(motor_torque);
    transition.col(kMotorVelocity).template head<M::kStates>() -= bent.force_gradient[0] * by_torque;
    transition.col(kBristle).template head<M::kStates>() = -bent.force_gradient[1] * by_torque;
    transition(kBristle, kMotorVelocity) = bent.memory_gradient[0];
    transition(kBristle, kBristle) = bent.memory_gradient[1];
    return next;
  }

  static StateOf<M> joint_state(const State& x) noexcept { return x.template head<M::kStates>(); }
  InputOf<M> joint_input(const State& x, const Inputs& u) const noexcept {
    InputOf<M> all = InputOf<M>::Zero();
    all[motor_torque] = u[motor_torque];
    all[load_torque] = u[load_torque] + gravity_.torque(x[kMotorPosition] / bare_joint(joint_).ratio);
    return all;
  }
  // The torque of the teeth, at the motor.
  T passed_on(const State& x) const noexcept {
    if (friction_.load_share == T(0)) return T(0);
    return joint_.output(kTransmission, joint_state(x), InputOf<M>::Zero()) / bare_joint(joint_).ratio;
  }

  M joint_;
  MeshLuGre<T> friction_;
  GravityTorque<T> gravity_;
  T bristle_noise_;
  Interval usual_;
};

}  // namespace tauhat
