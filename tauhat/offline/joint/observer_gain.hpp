// The gain of a joint's observer: by poles, or by noise. What cannot be designed is refused with the reason.
#pragma once

#include <Eigen/LU>
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
Sampled<double, M::kStates, M::kInputs> sampled_joint(const M& model, double period) noexcept {
  const auto at = linearise(model, StateOf<M>(StateOf<M>::Zero()), InputOf<M>(InputOf<M>::Zero()));
  return held<double, M::kStates, M::kInputs>(at.by_state, at.by_input, period);
}

namespace joint_detail {

// Which parameter change would help, where two unknowns look alike to the motor.
inline constexpr const char* kTooManyWalks =
    "; a motor's position cannot tell a disturbance at the motor from a torque at the link: leave one out, or let one "
    "leak and have LuGre's law carry the friction";

template <class M>
std::string mode_text(const ModeTest<double, M::kStates>& test) {
  return fmt::format("{}, at {:.3g} Hz", state_names<M>()[static_cast<std::size_t>(std::max(test.state, 0))],
                     test.mode.frequency);
}

template <class M>
void place(const ObserverSpec& observer, double period, ObserverGain<M>& gain) {
  constexpr int kStates = M::kStates;
  ContinuousPoles<double, kStates> poles;
  for (const PoleSpec& pole : observer.poles)
    pole.damping < 1.0 ? poles.pair(pole.frequency, pole.damping) : poles.real(pole.frequency);
  if (poles.count() != kStates)
    refuse(observer, fmt::format("poles: there are {}, and the model has {} states ({}); a pole with a damping below 1 "
                                 "counts twice",
                                 poles.count(), kStates, fmt::join(state_names<M>(), ", ")));
  if (const PoleCheck check = poles.check(period); !check.fine())
    refuse(observer, check.fault == PoleFault::beyond_nyquist
                         ? fmt::format("poles: faster than half the sampling rate, {:.4g} Hz", 0.5 / period)
                         : "poles: must be stable");
  const auto& a = gain.sampled.transition;
  const auto placed = place_poles<double, kStates>(a, measured_row<M>(), poles.sampled(period));
  if (placed.status == PlacementStatus::not_observable) {
    const auto test = test_observability<double, kStates, 1>(a, measured_row<M>(), period);
    refuse(observer, fmt::format("motor.position does not show {}{}", mode_text<M>(test), kTooManyWalks));
  }
  if (!placed.placed())
    refuse(observer, fmt::format("its poles cannot be placed: the nearest that was reached is off by {:.2g}",
                                 placed.error));
  gain.predictor = placed.gain;
  gain.filter = a.partialPivLu().solve(placed.gain);
  gain.radius = spectral_radius<double, kStates>(a - placed.gain * measured_row<M>());
}

template <class M>
Matrix<double, M::kStates> process_noise(const M& model, const ObserverSpec& observer, double period) {
  constexpr int kStates = M::kStates;
  if (observer.covariance_root.empty()) {
    const auto at = linearise(model, StateOf<M>(StateOf<M>::Zero()), InputOf<M>(InputOf<M>::Zero()));
    return discretise_correlated<double, kStates>(at.by_state, noise_density(model), period)
        .noise.template topRows<kStates>();
  }
  if (observer.covariance_root.size() != static_cast<std::size_t>(kStates))
    refuse(observer, fmt::format("covariance_root: has {} rows, and the model {} states ({})",
                                 observer.covariance_root.size(), kStates, fmt::join(state_names<M>(), ", ")));
  Matrix<double, kStates> root;
  for (int i = 0; i < kStates; ++i)
    for (int j = 0; j < kStates; ++j)
      root(i, j) = observer.covariance_root[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)];
  return root * root.transpose();
}

template <class M>
void weigh(const M& model, const ObserverSpec& observer, double period, double sensor_variance, ObserverGain<M>& gain) {
  constexpr int kStates = M::kStates;
  const auto& a = gain.sampled.transition;
  const StepNoise<double, kStates, 1> noise{process_noise(model, observer, period),
                                            Vector<double, 1>(observer.sensor_variance.value_or(sensor_variance))};
  const auto filter = stationary_filter<double, kStates, 1>(a, measured_row<M>(), noise, period);
  switch (filter.status) {
    case FilterStatus::designed:
      break;
    case FilterStatus::process_noise_not_positive:
      refuse(observer, "its noise is not positive");
    case FilterStatus::sensor_noise_not_positive:
      refuse(observer, "the std of motor.position must be positive");
    case FilterStatus::not_detectable:
      refuse(observer, fmt::format("motor.position does not show {}{}", mode_text<M>(filter.detectability),
                                   kTooManyWalks));
    case FilterStatus::not_stable:
      refuse(observer, fmt::format("its error does not decay (spectral radius {:.9g}): a state without noise does not "
                                   "decay by itself; give it noise or a leak",
                                   filter.radius));
    default:
      refuse(observer, fmt::format("its Riccati equation could not be solved (residual {:.2g})", filter.residual));
  }
  gain.filter = filter.gain, gain.predictor = filter.predictor_gain;
  gain.covariance = observer.predicts ? filter.predicted : filter.corrected;
  gain.innovation_variance = filter.predicted(kMotorPosition, kMotorPosition) + noise.sensors[0];
  gain.radius = filter.radius, gain.residual = filter.residual;
}

}  // namespace joint_detail

template <class M>
ObserverGain<M> observer_gain(const M& model, const ObserverSpec& observer, double period, double sensor_variance) {
  ObserverGain<M> gain;
  gain.sampled = sampled_joint(model, period);
  if (observer.kind == ObserverSpec::Kind::luenberger) {
    joint_detail::place<M>(observer, period, gain);
  } else {
    joint_detail::weigh<M>(model, observer, period, sensor_variance, gain);
  }
  return gain;
}

}  // namespace tauhat
