// An elastic joint whose motor has LuGre friction: the linear joint steps exactly under a friction that is held, the
// bristle steps exactly at a velocity that is held.
//   x+ = Phi x + Gamma u - Gamma_m tau_f,   z+ as in mesh_lugre.hpp
// M is an ElasticJoint, with what is unknown added to it. Its own viscous friction belongs to Phi.
#pragma once

#include "tauhat/core/filters/propagate.hpp"
#include "tauhat/core/friction/mesh_lugre.hpp"
#include "tauhat/core/linear/hold.hpp"
#include "tauhat/core/model.hpp"

namespace tauhat {

template <Model M>
class JointWithBristles {
 public:
  using Scalar = typename M::Scalar;
  using T = Scalar;
  static constexpr int kJointStates = M::kStates, kStates = kJointStates + 1, kInputs = M::kInputs;
  static constexpr int kBristle = kJointStates;  // index of z
  static constexpr int kFrictionOutput = static_cast<int>(M::kOutputs.size());
  static constexpr auto kOutputs = [] {
    std::array<Signal, M::kOutputs.size() + 1> outputs{};
    for (std::size_t i = 0; i < M::kOutputs.size(); ++i) outputs[i] = M::kOutputs[i];
    outputs.back() = {"motor.friction", "N m"};
    return outputs;
  }();

  // `period` is what the filter steps by; another interval is discretised when it comes.
  JointWithBristles(const M& joint, const MeshLuGre<T>& friction, T bristle_noise, T period) noexcept
      : joint_(joint), friction_(friction), bristle_noise_(bristle_noise), usual_(discretised(period)) {}

  const M& joint() const noexcept { return joint_; }
  const MeshLuGre<T>& friction() const noexcept { return friction_; }

  struct Step {
    Vector<T, kStates> mean;
    Discrete<T, kStates> step;
  };
  Step step(const Vector<T, kStates>& x, const InputOf<M>& u, T dt) const noexcept {
    return dt == usual_.period ? stepped(usual_, x, u) : stepped(discretised(dt), x, u);
  }

  T output(int index, const Vector<T, kStates>& x, const InputOf<M>& u) const {
    if (index == kFrictionOutput) return friction_torque(x, u);
    return joint_.output(index, joint_state(x), u);
  }
  // What the motor loses beside its viscous friction: bristles and disturbance.
  T friction_torque(const Vector<T, kStates>& x, const InputOf<M>& u) const {
    const Vector<T, kJointStates> joint = joint_state(x);
    return friction_.torque(x[kMotorVelocity], x[kBristle], passed_on(joint, u)) +
           joint_.output(kDisturbanceOutput, joint, u);
  }
  OutputGradient<T, kStates, kInputs> output_gradient(int index, const Vector<T, kStates>& x,
                                                      const InputOf<M>& u) const {
    OutputGradient<T, kStates, kInputs> gradient{Vector<T, kStates>::Zero(), InputOf<M>::Zero()};
    if (index != kFrictionOutput) {
      const auto inner = differentiate_output(joint_, index, joint_state(x), u);
      gradient.by_state << inner.by_state, T(0);
      gradient.by_input = inner.by_input;
      return gradient;
    }
    // Bristle and disturbance; the share of z' is small beside them.
    const auto inner = differentiate_output(joint_, kDisturbanceOutput, joint_state(x), u);
    gradient.by_state << inner.by_state, friction_.bristles.bristle_stiffness;
    return gradient;
  }
  int output_state(int index) const noexcept { return index < M::kOutputs.size() ? joint_.output_state(index) : -1; }

 private:
  static constexpr int kMotorVelocity = index_of(M::kOutputs, "motor.velocity");
  static constexpr int kTransmissionOutput = index_of(M::kOutputs, "transmission.torque");
  static constexpr int kDisturbanceOutput = index_of(M::kOutputs, "motor.disturbance");

  struct Period {
    T period;
    Held<T, kJointStates, kInputs> held;
    Discrete<T, kStates> step;  // its transition: the joint's block, to which friction's slope is added
  };

  static Vector<T, kJointStates> joint_state(const Vector<T, kStates>& x) { return x.template head<kJointStates>(); }
  T passed_on(const Vector<T, kJointStates>& joint, const InputOf<M>& u) const {
    return friction_.load_share == T(0) ? T(0) : joint_.output(kTransmissionOutput, joint, u) / joint_ratio(joint_);
  }
};

}  // namespace tauhat
