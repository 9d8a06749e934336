#include "tauhat/offline/identify/backlash.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>

#include "tauhat/offline/error.hpp"
#include "tauhat/offline/identify/intensity.hpp"
#include "tauhat/offline/identify/segments.hpp"

namespace tauhat {
namespace {

bool measures(const Timeline& timeline, int output) {
  return std::any_of(timeline.sensors.begin(), timeline.sensors.end(),
                     [&](const auto& s) { return s.output == output; });
}

bool measures_load(const Timeline& timeline) {
  return measures(timeline, Drive::load_velocity_output) || measures(timeline, Drive::load_position_output);
}

// Without a load sensor the displacement and its rate drift without bound. A long record is tethered: a gear does not
// twist by more than it does in its first seconds, so every tenth of a second the displacement is taken to be zero to
// within that range. What this leaves, the cloud's drifting offset takes up.
constexpr double kUntethered = 10.0, kTetherSample = 5.0, kTetherInterval = 0.1;  // s

bool needs_tether(const Timeline& timeline) {
  return !measures_load(timeline) && !timeline.time.empty() &&
         timeline.time.back() - timeline.time.front() > kUntethered;
}

Timeline tethered(const Timeline& timeline, Estimator& estimator) {
  const auto count = [interval = timeline.median_interval()](double duration) {
    return std::max<std::size_t>(1, static_cast<std::size_t>(duration / interval));
  };
  const Replay sample = estimator.replay(timeline.part(0, count(kTetherSample)), {.smooth = true});
  const auto& twist = sample.smoothed[Drive::displacement_output].value;
  const auto [least, most] = std::minmax_element(twist.begin(), twist.end());
  const double range = *most - *least;
  Timeline result = timeline;
  Timeline::Sensor tether{"transmission.displacement", Drive::displacement_output, range * range, {}, true};
  tether.value.assign(timeline.size(), std::numeric_limits<double>::quiet_NaN());
  for (std::size_t k = 0; k < timeline.size(); k += count(kTetherInterval)) tether.value[k] = 0.0;
  result.sensors.push_back(std::move(tether));
  return result;
}

// Bandwidth of the torque estimate, (Q / (J^2 R Ts))^(1/4), with the inertia whose velocity shows the torque.
double torque_bandwidth(const Timeline& timeline, const Drive& drive, double intensity) {
  double bandwidth = 0.0;
  for (const auto& sensor : timeline.sensors) {
    const bool at_load = sensor.output == Drive::load_velocity_output || sensor.output == Drive::load_position_output;
    if (measures_load(timeline) && !at_load) continue;
    const bool is_position =
        sensor.output == Drive::motor_position_output || sensor.output == Drive::load_position_output;
    const double inertia = at_load ? drive.load_inertia : drive.motor_inertia * drive.ratio;
    const double noise = inertia * inertia * sensor.variance * timeline.median_interval();
    const double density = intensity * intensity / noise;
    bandwidth = std::max(bandwidth, is_position ? std::pow(density, 1.0 / 6.0) : std::pow(density, 0.25));
  }
  return bandwidth;
}

// Knots of the drifting offset: between two of them the displacement wanders less than the cloud can show, by as much
// as its variance grows; or, where that is held by a tether, by the share of it that is renewed.
DriftingOffset make_offset(const std::vector<double>& time, const Track& filtered_displacement, std::size_t first,
                           double renewed_share) {
  constexpr double kSpacing = 0.1;
  const double begin = time[first], end = time.back();
  const auto intervals = std::max<std::size_t>(1, static_cast<std::size_t>(std::ceil((end - begin) / kSpacing)));
  DriftingOffset offset;
  double before = 0.0;
  for (std::size_t i = 0; i <= intervals; ++i) {
    const double t = begin + (end - begin) * static_cast<double>(i) / static_cast<double>(intervals);
    const auto at = std::min<std::ptrdiff_t>(std::lower_bound(time.begin(), time.end(), t) - time.begin(),
                                             static_cast<std::ptrdiff_t>(time.size()) - 1);
    const double std = filtered_displacement.std[static_cast<std::size_t>(at)];
    if (i > 0) offset.step_variance.push_back(std::max({std * std - before, renewed_share * std * std, 1e-10}));
    before = std * std;
    offset.knot_times.push_back(t);
  }
  offset.value.assign(intervals + 1, 0.0);
  return offset;
}

Cloud make_cloud(const BacklashFit& fit, const Timeline& timeline) {
  // What the filter knows at the start is not yet what it learns: a fifth of a second is left out, less of a short log.
  const double settle = std::min(0.2, 0.1 * (timeline.time.back() - timeline.time.front()));
  const auto first = static_cast<std::size_t>(
      std::lower_bound(timeline.time.begin(), timeline.time.end(), timeline.time.front() + settle) -
      timeline.time.begin());
  const Track &d = fit.smoothed("transmission.displacement"), &tau = fit.smoothed("transmission.torque");
  const Track& rate = fit.smoothed("transmission.displacement_rate");
  // Neighbouring estimates share their errors: more than a few hundred thousand add time, not information.
  constexpr std::size_t kMost = 100000;
  const std::size_t stride = std::max<std::size_t>(1, (timeline.size() - first) / kMost);
  Cloud cloud;
  for (std::size_t k = first; k < timeline.size(); k += stride) {
    cloud.time.push_back(timeline.time[k]);
    cloud.displacement.push_back(d.value[k]);
    cloud.torque.push_back(tau.value[k]);
    cloud.torque_variance.push_back(std::max(tau.std[k] * tau.std[k], 1e-16));
    cloud.displacement_rate.push_back(rate.value[k]);
  }
  cloud.bandwidth = torque_bandwidth(timeline, fit.drive, fit.intensity);
  const double renewed_share = needs_tether(timeline) ? 0.1 : 0.0;
  cloud.offset = make_offset(timeline.time, fit.filtered("transmission.displacement"), first, renewed_share);
  return cloud;
}

double range_about_offset(const Cloud& cloud, const CloudFit& fit) {
  double low = 0.0, high = 0.0;
  for (std::size_t i = 0; i < cloud.size(); ++i) {
    const double x = cloud.displacement[i] - fit.offset.at(cloud.time[i]);
    low = std::min(low, x), high = std::max(high, x);
  }
  return high - low;
}

void run_filter(BacklashFit& fit, const Timeline& timeline, const BacklashOptions& options, bool along) {
  const auto estimated = along ? options.estimated : std::vector<UncertainParameter>{};
  auto estimator = make_torque_estimator(fit.drive, options.intensity.value_or(1.0), options.prior, estimated);
  if (options.gate > 0.0) estimator->set_gate(options.gate);
  if (!options.intensity) {
    const auto choice = choose_intensity(*estimator, timeline, intensity_guess(timeline, fit.drive));
    estimator->set_intensity(choice.intensity);
    fit.intensity_likelihood = choice.likelihood;
  }
  estimator->set_intensity(options.intensity_scale * estimator->intensity());
  fit.intensity = estimator->intensity();
  fit.outputs = estimator->outputs();
  const auto progress = [&](double share) {
    if (options.progress) options.progress("smoothing", share);
  };
  if (needs_tether(timeline)) {
    fit.replay = estimator->replay(tethered(timeline, *estimator), {.smooth = true, .progress = progress});
    fit.replay.innovations.pop_back();
  } else {
    fit.replay = estimator->replay(timeline, {.smooth = true, .progress = progress});
  }
  for (std::size_t i = 0; i < estimated.size(); ++i) {
    const double last = fit.replay.filtered[Drive::kOutputCount + i].value.back();
    with_parameter(fit.drive, estimated[i].index, [&](const ParameterInfo&, double& value) { value = last; });
  }
}

// Do the flanks differ? Three standard deviations of the cloud, which are themselves on the small side, and two per
// cent.
bool flanks_differ(const CloudFit& fit) {
  const double difference = fit.parameters[0] - fit.parameters[1];
  const double variance = fit.covariance(0, 0) + fit.covariance(1, 1) - 2.0 * fit.covariance(0, 1);
  return std::abs(difference) > 3.0 * std::sqrt(std::max(variance, 0.0)) &&
         std::abs(difference) > 0.02 * fit.stiffness();
}

constexpr double kClearEvidence = 10.0;  // difference of Bayesian information criteria

// Against the spring of one stiffness by the same evidence as against the dead zone, and by a tenth of its torque where
// it is twisted most: rounding bends a straight line, too.
bool is_stiffening(const BacklashFit& fit) {
  const auto evidence_against = [&](Curve curve) {
    const auto& all = fit.evidence.rivals;
    return std::find_if(all.begin(), all.end(), [&](const Rivalry& r) { return r.rival == curve; })->evidence;
  };
  const auto& [stiffness, hardening, unused] = fit.rivals.back().parameters;
  const double most = 0.5 * fit.displacement_range;
  return evidence_against(Curve::linear) - evidence_against(Curve::stiffening) > kClearEvidence &&
         hardening * most * most > 0.1 * stiffness;
}

void decide(BacklashFit& fit) {
  fit.rivals = {fit_cloud(fit.cloud, Curve::linear), fit_cloud(fit.cloud, Curve::stiffening)};
  fit.evidence = compare_with_rivals(fit.cloud, fit.dead_zone, fit.rivals);
  fit.displacement_range = range_about_offset(fit.cloud, fit.dead_zone);
  fit.two_stiffnesses = fit_cloud(fit.cloud, Curve::asymmetric_dead_zone);
  fit.asymmetric = flanks_differ(fit.two_stiffnesses);
  // Rounding at the corners leaves a gap of a few thousandths of the range where there is none.
  constexpr double kSmallestShare = 0.0075;
  fit.is_backlash = fit.evidence.weakest() > kClearEvidence && fit.dead_zone.gap() > 3.0 * fit.dead_zone.gap_std() &&
                    fit.dead_zone.gap() > kSmallestShare * fit.displacement_range;
  fit.stiffens = !fit.is_backlash && is_stiffening(fit);
}

}  // namespace

const Track& BacklashFit::smoothed(const std::string& output) const {
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    if (outputs[i].name == output) return replay.smoothed[i];
  }
  throw Error(ExitCode::wrong_use, fmt::format("no output {}", output));
}

const Track& BacklashFit::filtered(const std::string& output) const {
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    if (outputs[i].name == output) return replay.filtered[i];
  }
  throw Error(ExitCode::wrong_use, fmt::format("no output {}", output));
}

double BacklashFit::gap() const {
  return shooting ? shooting->value_of(*shooting_problem, "backlash.gap") : dead_zone.gap();
}
double BacklashFit::gap_std() const {
  return shooting ? shooting->std_of(*shooting_problem, "backlash.gap") : dead_zone.gap_std();
}
double BacklashFit::stiffness() const {
  if (!shooting) return dead_zone.stiffness();
  if (!asymmetric) return shooting->value_of(*shooting_problem, "transmission.stiffness");
  return 0.5 * (shooting->value_of(*shooting_problem, "transmission.stiffness.positive") +
                shooting->value_of(*shooting_problem, "transmission.stiffness.negative"));
}
double BacklashFit::stiffness_std() const {
  if (!shooting) return dead_zone.stiffness_std();
  if (!asymmetric) return shooting->std_of(*shooting_problem, "transmission.stiffness");
  return shooting->std_of_sum(*shooting_problem, 0.5, "transmission.stiffness.positive", 0.5,
                              "transmission.stiffness.negative");
}

BacklashFit identify_backlash(const Timeline& timeline, const Drive& drive, const BacklashOptions& options) {
  BacklashFit fit;
  fit.drive = drive;
  const bool along = measures_load(timeline) && !options.estimated.empty();
  run_filter(fit, timeline, options, along);
  fit.cloud = make_cloud(fit, timeline);
  fit.dead_zone = fit_cloud(fit.cloud, Curve::dead_zone);
  decide(fit);
  if (options.refine) refine_by_shooting(fit, timeline, options);
  return fit;
}

}  // namespace tauhat
