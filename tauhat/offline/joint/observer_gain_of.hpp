// What observer_gain.hpp declares: included by the files that compile it, for a few sizes each.
#pragma once

#include <Eigen/LU>

#include <algorithm>

#include "tauhat/core/linear/observability.hpp"
#include "tauhat/core/linear/pole_placement.hpp"
#include "tauhat/core/linear/stationary_filter.hpp"
#include "tauhat/offline/joint/filter_fault.hpp"
#include "tauhat/offline/joint/observer_gain.hpp"
#include "tauhat/offline/joint/wanted_poles.hpp"

namespace tauhat {

namespace joint_detail {

// The mode that is not seen, and which change would help.
template <int N>
std::string unseen_text(const LinearJoint<double, N>& joint, const ModeTest<double, N>& test) {
  const std::string state = state_names(joint)[static_cast<std::size_t>(std::max(test.state, 0))];
  const bool has_two_unknowns = N - 2 * joint.bodies > 1;
  return fmt::format("motor.position does not show {}, at {:.3g} Hz; {}", state, test.mode.frequency,
                     state.starts_with("neighbour") ? "nothing couples it to the link: give neighbour.coupling_inertia "
                                                      "in [drive], or leave it out by neighbour = "
                                                      "false in [[observer]]"
                     : has_two_unknowns             ? "a motor's position cannot tell a disturbance at the motor from "
                                                      "a torque at the link: leave one out, or let "
                                                      "one leak and have LuGre's law carry the friction"
                                                    : "the transmission hardly moves the link: look at "
                                                      "transmission.stiffness and load.inertia in [drive]");
}

template <int N>
void place(const LinearJoint<double, N>& joint, const ObserverSpec& observer, double period, ObserverGain<N>& gain) {
  const PolesOwner owner{observer.name, observer.place, state_names(joint)};
  const Poles<double, N> poles = wanted_poles(observer.poles, owner, period);
  const auto& a = gain.sampled.transition;
  const auto placed = place_poles<double, N>(a, measured_row<N>(), poles);
  if (!placed.placed()) {
    const auto seen = test_observability<double, N, 1>(a, measured_row<N>(), period);
    refuse_placement(placed.status, placed.error, owner, observer.poles,
                     {seen.margin, seen.mode.frequency, unseen_text(joint, seen)});
  }
  gain.predictor = placed.gain;
  gain.filter = a.partialPivLu().solve(placed.gain);
  gain.radius = spectral_radius<double, N>(a - placed.gain * measured_row<N>());
}

template <int N>
Matrix<double, N> process_noise(const LinearJoint<double, N>& joint, const ObserverSpec& observer, double period) {
  if (observer.covariance_root.empty())
    return discretise_correlated<double, N>(joint.dynamics, joint.noise, period).noise.template topRows<N>();
  if (observer.covariance_root.size() != static_cast<std::size_t>(N))
    refuse(observer, fmt::format("covariance_root: has {} rows, and the model {} states ({})",
                                 observer.covariance_root.size(), N, fmt::join(state_names(joint), ", ")));
  Matrix<double, N> root;
  for (int i = 0; i < N; ++i)
    for (int j = 0; j < N; ++j)
      root(i, j) = observer.covariance_root[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)];
  return root * root.transpose();
}

template <int N>
void weigh(const LinearJoint<double, N>& joint, const ObserverSpec& observer, double period, double sensor_variance,
           ObserverGain<N>& gain) {
  const auto& a = gain.sampled.transition;
  const StepNoise<double, N, 1> noise{process_noise(joint, observer, period),
                                      Vector<double, 1>(observer.sensor_variance.value_or(sensor_variance))};
  if (noise.process.isZero(0.0)) refuse(observer, "its noise is zero, and so would be its gain");
  const auto filter = stationary_filter<double, N, 1>(a, measured_row<N>(), noise, period);
  if (!filter.designed()) refuse(observer, filter_fault(filter, unseen_text(joint, filter.detectability)));
  require_seen(joint, observer, period);
  gain.filter = filter.gain, gain.predictor = filter.predictor_gain;
  gain.covariance = observer.predicts ? filter.predicted : filter.corrected;
  gain.innovation_variance = filter.predicted(kMotorPosition, kMotorPosition) + noise.sensors[0];
  gain.radius = filter.radius, gain.residual = filter.residual;
}

}  // namespace joint_detail

template <int N>
void require_seen(const LinearJoint<double, N>& joint, const ObserverSpec& observer, double period) {
  const auto seen = test_observability<double, N, 1>(sampled_joint(joint, period).transition,
                                                     joint_detail::measured_row<N>(), period);
  if (!seen.passed) joint_detail::refuse(observer, joint_detail::unseen_text(joint, seen));
}

template <int N>
ObserverGain<N> observer_gain(const LinearJoint<double, N>& joint, const ObserverSpec& observer, double period,
                              double sensor_variance) {
  ObserverGain<N> gain;
  gain.sampled = sampled_joint(joint, period);
  if (observer.kind == ObserverSpec::Kind::luenberger) {
    joint_detail::place(joint, observer, period, gain);
  } else {
    joint_detail::weigh(joint, observer, period, sensor_variance, gain);
  }
  return gain;
}

template <int N>
DisturbanceDesign<N> disturbance_design(const ObserverGain<N>& gain, const ObserverSpec& observer, double period) {
  const auto& wanted = *observer.disturbance_observer;
  const auto design = design_disturbance_observer<N>(
      gain.sampled.transition, gain.sampled.by_input.col(motor_torque_input), joint_detail::measured_row<N>(),
      gain.predictor, period, {.slow = wanted.slowest, .fast = wanted.fastest, .damping = wanted.damping});
  if (design.status == DisturbanceStatus::model_integrates)
    joint_detail::refuse(observer,
                         "disturbance_observer: the model integrates a torque of its own, which takes every "
                         "constant disturbance; leave out either it or the disturbance observer");
  if (!(wanted.fastest < 0.5 / period))
    joint_detail::refuse(observer,
                         fmt::format("disturbance_observer.fastest = {:.4g} Hz: must be below half the sampling "
                                     "rate, {:.4g} Hz",
                                     wanted.fastest, 0.5 / period));
  if (!design.designed())
    joint_detail::refuse(observer, fmt::format("disturbance_observer: its poles, from {:.4g} to {:.4g} Hz, cannot be "
                                               "placed; bring them nearer to each other",
                                               wanted.slowest, wanted.fastest));
  return design;
}

template <int N>
Poles<double, N> observer_poles(const ObserverGain<N>& gain) {
  return sampled_poles<double, N>(gain.sampled.transition - gain.predictor * joint_detail::measured_row<N>());
}

}  // namespace tauhat

// Compiles it for this number of states.
#define TAUHAT_COMPILE_OBSERVER_GAIN(N)                                                                              \
  template tauhat::ObserverGain<N> tauhat::observer_gain<N>(const tauhat::LinearJoint<double, N>&,                   \
                                                            const tauhat::ObserverSpec&, double, double);            \
  template void tauhat::require_seen<N>(const tauhat::LinearJoint<double, N>&, const tauhat::ObserverSpec&, double); \
  template tauhat::DisturbanceDesign<N> tauhat::disturbance_design<N>(const tauhat::ObserverGain<N>&,                \
                                                                      const tauhat::ObserverSpec&, double);          \
  template tauhat::Poles<double, N> tauhat::observer_poles<N>(const tauhat::ObserverGain<N>&)
