// The gain of a joint's observer: by poles, or by noise. What cannot be designed is refused with the reason.
#pragma once

#include <fmt/format.h>

#include <limits>
#include <string>

#include "tauhat/core/linear/hold.hpp"
#include "tauhat/core/linear/observability.hpp"
#include "tauhat/core/linear/pole_placement.hpp"
#include "tauhat/core/linear/stationary_filter.hpp"
#include "tauhat/offline/error.hpp"
#include "tauhat/offline/joint/joint_model.hpp"

namespace tauhat {

template <class M>
struct ObserverGain {
  static constexpr int kStates = M::kStates;
  Sampled<double, kStates, M::kInputs> sampled;
  StateOf<M> filter, predictor;  // K and L = A K
  // Of the estimate; NaN where poles were placed.
  Matrix<double, kStates> covariance =
      Matrix<double, kStates>::Constant(std::numeric_limits<double>::quiet_NaN());
  double innovation_variance = std::numeric_limits<double>::quiet_NaN();
  double radius = 0.0, residual = 0.0;
};

namespace joint_detail {

inline constexpr int kMotorPosition = 0;  // of every joint model

template <class M>
Matrix<double, 1, M::kStates> measured_row() {
  return Matrix<double, 1, M::kStates>::Unit(kMotorPosition);
}

[[noreturn]] inline void refuse(const ObserverSpec& observer, const std::string& why) {
  throw Error(ExitCode::wrong_use, fmt::format("observer \"{}\": {}", observer.name, why));
}

// Names of the states, for messages and `describe`.
template <class M>
std::vector<std::string> state_names() {
  using Joint = std::decay_t<decltype(bare_joint(std::declval<const M&>()))>;
  std::vector<std::string> names;
  for (int i = 0; i < Joint::kStates; ++i) names.emplace_back(Joint::kOutputs[static_cast<std::size_t>(i)].name);
  for (int i = Joint::kStates; i < M::kStates; ++i) names.push_back(fmt::format("unknown {}", i - Joint::kStates + 1));
  return names;
}

}  // namespace joint_detail

template <class M>
ObserverGain<M> observer_gain(const M& model, const ObserverSpec& observer, double period, double sensor_variance);

}  // namespace tauhat
