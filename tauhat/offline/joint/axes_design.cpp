#include "tauhat/offline/joint/axes_design.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "tauhat/core/linear/robust_placement.hpp"
#include "tauhat/core/linear/stationary_filter.hpp"
#include "tauhat/offline/error.hpp"
#include "tauhat/offline/joint/filter_fault.hpp"
#include "tauhat/offline/joint/wanted_poles.hpp"

namespace tauhat {
namespace {

constexpr int kAny = Eigen::Dynamic;

std::string unseen_text(const AxesSpec& spec, const ModeTest<double, kAny>& unseen) {
  return fmt::format(
      "the motors' positions do not show {}, at {:.3g} Hz: a link that its transmission hardly moves; "
      "look at transmission.stiffness and load.inertia of that axis in [drive]",
      axes_state_names(spec)[static_cast<std::size_t>(std::max(unseen.state, 0))], unseen.mode.frequency);
}

[[noreturn]] void refuse(const AxesObserver& observer, const std::string& why) {
  throw Error(ExitCode::wrong_use, fmt::format("{}{}observer \"{}\": {}", observer.place,
                                               observer.place.empty() ? "" : ": ", observer.name, why));
}

// A state that the motors do not show may decay by itself, and have a filter for all that: one without a link.
void require_seen(const AxesSpec& spec, const AxesObserver& observer, double period, const AxesGain& gain) {
  const auto seen = test_observability<double, kAny, kAny>(gain.sampled.transition, gain.linear.measured, period);
  if (!seen.passed) refuse(observer, unseen_text(spec, seen));
}

void weigh(const AxesSpec& spec, const AxesObserver& observer, double period,
           const std::vector<double>& sensor_variances, AxesGain& gain) {
  const DensityNoise<double, kAny, kAny> density{
      gain.linear.noise,
      Eigen::Map<const Eigen::VectorXd>(sensor_variances.data(), static_cast<Eigen::Index>(spec.count()))};
  const auto filter = stationary_filter<double, kAny, kAny>(
      gain.sampled.transition, gain.linear.measured,
      step_noise<double, kAny, kAny>(gain.linear.dynamics, density, period), period);
  if (!filter.designed()) refuse(observer, filter_fault(filter, unseen_text(spec, filter.detectability)));
  require_seen(spec, observer, period, gain);
  gain.filter = filter.gain, gain.predictor = filter.predictor_gain;
  gain.predicted = filter.predicted, gain.corrected = filter.corrected;
  gain.radius = filter.radius, gain.residual = filter.residual;
}

void place(const AxesSpec& spec, const AxesObserver& observer, double period, AxesGain& gain) {
  const PolesOwner owner{observer.name, observer.place, axes_state_names(spec), static_cast<int>(spec.count())};
  const Eigen::MatrixXd &a = gain.sampled.transition, &c = gain.linear.measured;
  const auto placed = place_poles_robustly<double, kAny, kAny>(a, c, wanted_poles(observer.poles, owner, period));
  // Rounding alone would move such poles: by the condition of their eigenvectors at most.
  const double moved = placed.condition * std::numeric_limits<double>::epsilon();
  constexpr double kMostMoved = 1e-4;
  if (!placed.placed() || moved > kMostMoved) {
    const auto seen = test_observability<double, kAny, kAny>(a, c, period);
    refuse_placement(placed.placed() ? PlacementStatus::inaccurate : placed.status,
                     placed.placed() ? moved : placed.error, owner, observer.poles,
                     {seen.margin, seen.mode.frequency, unseen_text(spec, seen)});
  }
  gain.predictor = placed.gain;
  gain.filter = solve<double, kAny, kAny>(a, placed.gain);
  gain.radius = spectral_radius<double, kAny>(a - placed.gain * c);
  gain.condition = placed.condition;
}

}  // namespace

AnyAxes elastic_axes(const AxesSpec& spec, const AxesObserver& observer) {
  AnyAxes axes(static_cast<int>(spec.count()));
  const auto list = [](const std::vector<double>& values) {
    return Eigen::VectorXd(Eigen::Map<const Eigen::VectorXd>(values.data(), static_cast<Eigen::Index>(values.size())));
  };
  axes.ratio = list(spec.ratio), axes.motor_inertia = list(spec.motor_inertia);
  axes.motor_viscous = list(spec.motor_viscous), axes.stiffness = list(spec.stiffness);
  axes.damping = list(spec.damping), axes.load_viscous = list(spec.load_viscous);
  axes.leak = list(observer.leak);
  if (observer.kind == AxesObserver::Kind::luenberger) return axes;
  axes.motor_noise = list(observer.motor_noise).cwiseAbs2(), axes.load_noise = list(observer.load_noise).cwiseAbs2();
  axes.disturbance_noise = list(observer.disturbance).cwiseAbs2();
  return axes;
}

Eigen::MatrixXd mass_for(const AxesObserver& observer, const Eigen::MatrixXd& mass) {
  return observer.coupled ? mass : Eigen::MatrixXd(mass.diagonal().asDiagonal());
}

SampledAnyAxes sampled_axes(const LinearAnyAxes& linear, double period) noexcept {
  return held<double, kAny, kAny>(linear.dynamics, linear.by_torque, period);
}

std::vector<std::string> axes_state_names(const AxesSpec& spec) {
  std::vector<std::string> names;
  for (const AxisSignal signal :
       {axis_motor_position, axis_load_position, axis_motor_velocity, axis_load_velocity, axis_motor_disturbance})
    for (std::size_t axis = 0; axis < spec.count(); ++axis) names.push_back(spec.signal(axis, signal));
  return names;
}

AxesGain axes_gain(const AxesSpec& spec, const AxesObserver& observer, double period,
                   const std::vector<double>& sensor_variances) {
  if (spec.count() < AxesSpec::kFewest || spec.count() > AxesSpec::kMost)
    throw Error(ExitCode::wrong_use, fmt::format("{} axes: {} to {} can be observed together", spec.count(),
                                                 AxesSpec::kFewest, AxesSpec::kMost));
  AxesGain gain;
  gain.linear = linear_axes<double, kAny>(elastic_axes(spec, observer), mass_for(observer, spec.mass));
  gain.sampled = sampled_axes(gain.linear, period);
  if (observer.kind == AxesObserver::Kind::luenberger) {
    place(spec, observer, period, gain);
  } else {
    weigh(spec, observer, period, sensor_variances, gain);
  }
  return gain;
}

AxesDesign design_of(const AxesSpec& spec, const AxesObserver& observer, double period,
                     const std::vector<double>& sensor_variances) {
  const AxesGain found = axes_gain(spec, observer, period, sensor_variances);
  AxesDesign design{axes_state_names(spec), found.predictor, {}, found.radius, found.residual, found.condition};
  for (const auto& z :
       sampled_poles<double, kAny>(found.sampled.transition - found.predictor * found.linear.measured)) {
    const auto mode = mode_of<double>(z, period);
    design.poles.push_back({mode.frequency, mode.damping});
  }
  return design;
}

}  // namespace tauhat
