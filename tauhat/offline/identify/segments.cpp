#include "tauhat/offline/identify/segments.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

namespace tauhat {
namespace {

// Two periods of the resonance hold enough flank contact to see the gap, and are short enough that the start values of
// the smoother lie in the right minimum.
constexpr double kPeriodsPerSegment = 2.0;
// Samples that the fit works on at most; beyond, the most informative segments are taken.
constexpr std::size_t kMostSamples = 30000;

double resonance(const Drive& drive, double stiffness) {
  return std::sqrt(stiffness * (1.0 / (drive.ratio * drive.ratio * drive.motor_inertia) + 1.0 / drive.load_inertia));
}

bool measures_position(const Timeline& timeline) {
  return std::any_of(timeline.sensors.begin(), timeline.sensors.end(), [](const auto& s) {
    return s.output == Drive::motor_position_output || s.output == Drive::load_position_output;
  });
}

bool measures_displacement(const Timeline& timeline) {
  const auto has = [&](int output) {
    return std::any_of(timeline.sensors.begin(), timeline.sensors.end(),
                       [&](const auto& s) { return s.output == output; });
  };
  return has(Drive::motor_position_output) && has(Drive::load_position_output);
}

struct Candidate {
  ShootingSegment segment;
  int corners = 0;  // passages of a corner: what tells the gap
};

Candidate make_segment(const BacklashFit& fit, const Timeline& timeline, std::size_t first, std::size_t intervals,
                       bool absolute) {
  const Track &d = fit.smoothed("transmission.displacement"), &position = fit.smoothed("motor.position");
  const Track &motor = fit.smoothed("motor.velocity"), &load = fit.smoothed("load.velocity");
  const double offset = fit.dead_zone.offset.at(timeline.time[first]);
  Candidate candidate;
  candidate.segment = {first,
                       intervals,
                       position.value[first],
                       d.value[first] - (absolute ? 0.0 : offset),
                       motor.value[first],
                       load.value[first]};
  const double half = 0.5 * fit.dead_zone.gap();
  int region = 0;
  for (std::size_t k = first; k <= first + intervals; ++k) {
    const double x = d.value[k] - fit.dead_zone.offset.at(timeline.time[k]);
    const int now = x > half ? 1 : x < -half ? -1 : 0;
    if (k > first && now != region) ++candidate.corners;
    region = now;
  }
  return candidate;
}

std::vector<ShootingSegment> choose_segments(const BacklashFit& fit, const Timeline& timeline, std::size_t intervals,
                                             bool absolute, double& share) {
  std::vector<Candidate> all;
  for (std::size_t first = 0; first + intervals < timeline.size(); first += intervals) {
    all.push_back(make_segment(fit, timeline, first, intervals, absolute));
  }
  const std::size_t most = std::max<std::size_t>(1, kMostSamples / intervals);
  const std::size_t available = all.size();
  if (all.size() > most) {
    // Most corner passages first; equal ones stay in order of time.
    std::stable_sort(all.begin(), all.end(),
                     [](const Candidate& a, const Candidate& b) { return a.corners > b.corners; });
    all.resize(most);
    std::sort(all.begin(), all.end(),
              [](const Candidate& a, const Candidate& b) { return a.segment.first < b.segment.first; });
  }
  share = available ? static_cast<double>(all.size()) / static_cast<double>(available) : 0.0;
  std::vector<ShootingSegment> segments;
  for (const Candidate& candidate : all) segments.push_back(candidate.segment);
  return segments;
}

int drive_parameter_count(const Drive& drive) {
  int count = 0;
  Drive::visit_parameters(drive, [&](const ParameterInfo&, const double&) { ++count; });
  return count;
}

// Free parameters of the dead zone: gap, stiffness of both flanks together or apart, offset where positions are
// measured.
void add_law_parameters(ShootingProblem& problem, const BacklashFit& fit, bool absolute) {
  const int first = drive_parameter_count(problem.drive);
  const int positive = first, negative = first + 1, gap = first + 2, offset = first + 3;
  const double smallest = 0.02 * fit.displacement_range;
  const double start_gap = std::max(fit.dead_zone.gap(), smallest), stiffness = fit.dead_zone.stiffness();
  double middle = 0.0;
  if (absolute) {
    const auto& c = fit.dead_zone.offset.value;
    middle = std::accumulate(c.begin(), c.end(), 0.0) / static_cast<double>(c.size());
  }
  problem.law = {stiffness, stiffness, start_gap, middle};
  constexpr double kFree = std::numeric_limits<double>::infinity();
  problem.parameters.push_back({"backlash.gap", "rad", {gap}, start_gap, kFree, 0.0});
  if (fit.asymmetric) {
    const auto& flanks = fit.two_stiffnesses.parameters;
    problem.law.stiffness_positive = flanks[0], problem.law.stiffness_negative = flanks[1];
    problem.parameters.push_back({"transmission.stiffness.positive", "N m/rad", {positive}, flanks[0], kFree, 0.0});
    problem.parameters.push_back({"transmission.stiffness.negative", "N m/rad", {negative}, flanks[1], kFree, 0.0});
  } else {
    problem.parameters.push_back({"transmission.stiffness", "N m/rad", {positive, negative}, stiffness, kFree, 0.0});
  }
  if (absolute) problem.parameters.push_back({"backlash.offset", "rad", {offset}, middle, kFree, -kFree});
}

void add_drive_parameters(ShootingProblem& problem, const BacklashOptions& options) {
  constexpr double kFree = std::numeric_limits<double>::infinity();
  const auto add = [&](const UncertainParameter& p, double prior_std) {
    problem.parameters.push_back({parameter_name(problem.drive, p.index),
                                  parameter_unit(problem.drive, p.index),
                                  {p.index},
                                  parameter_value(problem.drive, p.index),
                                  prior_std,
                                  0.0});
  };
  for (const auto& p : options.estimated) add(p, kFree);
  for (const auto& p : options.uncertain) add(p, p.std);
  const auto nuisance = [&](const char* name, const char* unit, int entry, double start, bool is_free, double std,
                            double lower) {
    if (is_free || std > 0.0) problem.parameters.push_back({name, unit, {entry}, start, is_free ? kFree : std, lower});
  };
  nuisance("motor.torque.gain", "1", ShootingParameter::kTorqueGain, 1.0, options.torque_gain_free,
           options.torque_gain_std, 0.0);
  nuisance("motor.torque.delay", "s", ShootingParameter::kTorqueDelay, 0.0, options.torque_delay_free,
           options.torque_delay_std, -kFree);
}

void shoot(BacklashFit& fit, const Timeline& timeline, const BacklashOptions& options) {
  const double period = 2.0 * std::numbers::pi / resonance(fit.drive, fit.dead_zone.stiffness());
  const auto intervals = std::clamp<std::size_t>(
      static_cast<std::size_t>(std::lround(kPeriodsPerSegment * period / timeline.median_interval())), 12, 2000);
  const bool absolute = measures_displacement(timeline);
  ShootingProblem problem;
  problem.timeline = &timeline;
  problem.drive = fit.drive;
  // Where it is not measured it is the integral of a velocity and its noise; a control of the position makes a torque
  // of that.
  problem.position_is_local = measures_position(timeline) || fit.drive.position_gain > 0.0;
  problem.segments = choose_segments(fit, timeline, intervals, absolute, fit.share_used);
  if (problem.segments.empty()) return;
  add_law_parameters(problem, fit, absolute);
  add_drive_parameters(problem, options);
  problem.progress = [&](double share) {
    if (options.progress) options.progress("shooting", share);
  };
  fit.shooting = fit_by_shooting(problem);
  fit.shooting_problem = std::move(problem);
}

}  // namespace

void refine_by_shooting(BacklashFit& fit, const Timeline& timeline, const BacklashOptions& options) {
  shoot(fit, timeline, options);
  if (!fit.shooting || !fit.asymmetric) return;
  // The cloud suggested two stiffnesses; they are kept only where the sharper fit tells them apart as well.
  const double positive = fit.shooting->value_of(*fit.shooting_problem, "transmission.stiffness.positive");
  const double negative = fit.shooting->value_of(*fit.shooting_problem, "transmission.stiffness.negative");
  const double std = fit.shooting->std_of_sum(*fit.shooting_problem, 1.0, "transmission.stiffness.positive", -1.0,
                                              "transmission.stiffness.negative");
  if (std::abs(positive - negative) > 4.0 * std) return;
  fit.asymmetric = false;
  shoot(fit, timeline, options);
}

}  // namespace tauhat
