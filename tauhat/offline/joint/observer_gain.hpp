// The gain of a joint's observer: by poles, or by noise. What cannot be designed is refused with the reason.
#pragma once

#include <fmt/format.h>

#include <limits>
#include <string>

#include "tauhat/core/linear/hold.hpp"
#include "tauhat/core/observers/disturbance_design.hpp"
#include "tauhat/offline/error.hpp"
#include "tauhat/offline/joint/joint_model.hpp"

namespace tauhat {

template <int N>
struct ObserverGain {
  static constexpr int kStates = N;
  Sampled<double, N, kJointInputs> sampled;
  Vector<double, N> filter, predictor;  // K and L = A K
  // Of the estimate; NaN where poles were placed.
  Matrix<double, N> covariance = Matrix<double, N>::Constant(std::numeric_limits<double>::quiet_NaN());
  double innovation_variance = std::numeric_limits<double>::quiet_NaN();
  double radius = 0.0, residual = 0.0;
};

namespace joint_detail {

inline constexpr int kMotorPosition = 0;  // of every joint model

template <int N>
Matrix<double, 1, N> measured_row() {
  return Matrix<double, 1, N>::Unit(kMotorPosition);
}

[[noreturn]] inline void refuse(const ObserverSpec& observer, const std::string& why) {
  throw Error(ExitCode::wrong_use, fmt::format("{}{}observer \"{}\": {}", observer.place,
                                               observer.place.empty() ? "" : ": ", observer.name, why));
}

// Names of the states, for messages and `describe`.
template <int N>
std::vector<std::string> state_names(const LinearJoint<double, N>& joint) {
  const char* bodies[] = {"motor", "load", "neighbour"};
  std::vector<std::string> names;
  for (const char* what : {"position", "velocity"})
    for (int body = 0; body < joint.bodies; ++body) names.push_back(fmt::format("{}.{}", bodies[body], what));
  for (int i = 2 * joint.bodies; i < N; ++i)
    names.push_back(fmt::format("unknown torque {}", i - 2 * joint.bodies + 1));
  return names;
}

}  // namespace joint_detail

template <int N>
Sampled<double, N, kJointInputs> sampled_joint(const LinearJoint<double, N>& joint, double period) noexcept {
  return held<double, N, kJointInputs>(joint.dynamics, joint.by_torque, period);
}

// Throws Error (wrong_use) with the reason where it cannot be designed. For 4 to 9 states; the design is long to
// compile, so it is compiled once (observer_gain_of.hpp).
template <int N>
ObserverGain<N> observer_gain(const LinearJoint<double, N>& joint, const ObserverSpec& observer, double period,
                              double sensor_variance);

// Throws Error (wrong_use) where the motor's position does not show every state. A state that decays by itself would
// have a gain of zero: its estimate is none. The bristle's own state is not among them, and moves none out of sight.
template <int N>
void require_seen(const LinearJoint<double, N>& joint, const ObserverSpec& observer, double period);

// Around it; refused with the reason where the model integrates by itself.
template <int N>
DisturbanceDesign<N> disturbance_design(const ObserverGain<N>& gain, const ObserverSpec& observer, double period);

// Of the observer's error.
template <int N>
Poles<double, N> observer_poles(const ObserverGain<N>& gain);

}  // namespace tauhat
