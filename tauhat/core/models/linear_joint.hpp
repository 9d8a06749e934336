// An elastic joint with its unknowns as what it is, a linear system: what observers are designed from. Models with as
// many states have the same type, whatever those stand for.
//   x' = A x + B [motor, load, neighbour torque] + w,   y = C x
#pragma once

#include <array>

#include "tauhat/core/models/elastic_joint.hpp"

namespace tauhat {

enum JointInput { motor_torque_input, load_torque_input, neighbour_torque_input, kJointInputs };

// In the order of their rows; a joint without neighbour, or without that unknown, has a row of zeros.
inline constexpr std::array<Signal, 9> kLinearJointSignals{{{"motor.position", "rad"},
                                                            {"load.position", "rad"},
                                                            {"motor.velocity", "rad/s"},
                                                            {"load.velocity", "rad/s"},
                                                            {"transmission.torque", "N m"},
                                                            {"motor.disturbance", "N m"},
                                                            {"load.external_torque", "N m"},
                                                            {"neighbour.position", "rad"},
                                                            {"neighbour.velocity", "rad/s"}}};
inline constexpr int kLinearJointOutputs = static_cast<int>(kLinearJointSignals.size());

template <class T, int N>
struct LinearJoint {
  static constexpr int kStates = N;
  Matrix<T, N> dynamics;
  Matrix<T, N, kJointInputs> by_torque;
  Matrix<T, N> noise;  // spectral density
  Matrix<T, kLinearJointOutputs, N> outputs;
  T ratio;
  int bodies;  // the first states are their positions, then their velocities

  Matrix<T, 1, N> output(int index) const { return outputs.row(index); }
  bool has_output(int index) const { return !outputs.row(index).isZero(T(0)); }
};

// The joint inside its unknowns.
template <class M>
const auto& bare_joint(const M& model) noexcept {
  if constexpr (requires { model.model; }) {
    return bare_joint(model.model);
  } else {
    return model;
  }
}

// M is an ElasticJoint, or one with unknowns. It is linear, so that its columns are its answers to unit vectors.
template <Model M>
LinearJoint<typename M::Scalar, M::kStates> linear_joint(const M& model) {
  using T = typename M::Scalar;
  using Bare = std::decay_t<decltype(bare_joint(model))>;
  const StateOf<M> at_rest = StateOf<M>::Zero();
  const InputOf<M> nothing = InputOf<M>::Zero();
  LinearJoint<T, M::kStates> joint;
  joint.outputs.setZero();
  for (int i = 0; i < M::kStates; ++i) {
    const StateOf<M> unit = StateOf<M>::Unit(i);
    joint.dynamics.col(i) = model.derivative(unit, nothing);
    for (int row = 0; row < kLinearJointOutputs; ++row) {
      const int output = index_of(M::kOutputs, kLinearJointSignals[static_cast<std::size_t>(row)].name);
      if (output >= 0) joint.outputs(row, i) = model.output(output, unit, nothing);
    }
  }
  for (int input = 0; input < kJointInputs; ++input) {
    joint.by_torque.col(input) = model.derivative(at_rest, InputOf<M>(InputOf<M>::Unit(input)));
  }
  joint.noise = noise_density(model);
  joint.ratio = bare_joint(model).ratio;
  joint.bodies = Bare::kBodies;
  return joint;
}

}  // namespace tauhat
