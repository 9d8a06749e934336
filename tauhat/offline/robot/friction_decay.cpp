#include "tauhat/offline/robot/friction_decay.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "tauhat/offline/quantile.hpp"

namespace tauhat {
namespace {

using Kind = TorqueColumns::FrictionKind;
using Records = std::vector<RobotRecord>;
using Verdict = FrictionFall::Verdict;

constexpr double kSure = 3.0;  // deviations, by which an excess must differ from none

// Number of the base parameter that is this friction of a joint; -1: there is none.
int parameter_of(const RobotIdentification& identification, Kind kind, int joint) {
  const TorqueColumns& columns = identification.columns();
  const std::vector<int>& chosen = identification.base().columns;
  const auto found = std::find_if(chosen.begin(), chosen.end(), [&](int column) {
    return column >= columns.inertial() && columns.joint(column) == joint && columns.friction_kind(column) == kind;
  });
  return found == chosen.end() ? -1 : static_cast<int>(found - chosen.begin());
}

// The excess of a joint where it is larger than so many of its deviations; else empty.
std::optional<double> excess_of(const RobotIdentification& identification, const RobotFit& fit, int joint,
                                double deviations) {
  const int excess = parameter_of(identification, Kind::excess, joint);
  if (excess < 0 || !fit.is_determined(excess)) return std::nullopt;
  const double level = fit.base.values[excess];
  const bool is_larger = level > deviations * fit.deviation(excess);
  return is_larger ? std::optional(level) : std::nullopt;
}

// The change of ln(decay) that the linear fit asks for, and its deviation.
struct Change {
  double value, std;
};
std::optional<Change> change_of(const RobotIdentification& identification, const RobotFit& fit, int joint,
                                double deviations) {
  const int change = parameter_of(identification, Kind::decay, joint);
  const std::optional<double> excess = excess_of(identification, fit, joint, deviations);
  if (!excess || change < 0 || !fit.is_determined(change)) return std::nullopt;
  return Change{fit.base.values[change] / *excess, fit.deviation(change) / *excess};
}

// The speed that each actuator exceeds in a hundredth of the time.
std::vector<double> fastest_speeds(const RobotSpec& robot, const RobotRecord& record) {
  constexpr double kOver = 0.02;  // s
  const auto steps = static_cast<std::size_t>(std::max(1.0, std::round(kOver / record.period)));
  std::vector<std::vector<double>> speeds(record.position.size());
  JointValues velocity(robot.count());
  for (std::size_t k = steps; k < record.samples(); k += steps) {
    for (int j = 0; j < robot.count(); ++j) {
      const std::vector<double>& q = record.position[static_cast<std::size_t>(j)];
      velocity[j] = (q[k] - q[k - steps]) / (static_cast<double>(steps) * record.period);
    }
    const JointValues actuator = robot.robot.transmission().actuator_motion(velocity);
    for (int j = 0; j < robot.count(); ++j) speeds[static_cast<std::size_t>(j)].push_back(std::abs(actuator[j]));
  }
  std::vector<double> fastest;
  for (std::vector<double>& each : speeds) fastest.push_back(each.empty() ? 0.0 : quantile_in_place(each, 0.99));
  return fastest;
}

// The decays that a motion can tell: what falls more slowly than the fastest speed is viscous friction, what falls
// faster than the sign changes is none.
struct DecayRange {
  double slowest, fastest;
  bool is_slowest(double decay) const { return decay <= slowest * 1.01; }
  bool is_fastest(double decay) const { return decay >= fastest / 1.01; }
};

std::vector<DecayRange> ranges_of(const RobotSpec& robot, const Records& records) {
  std::vector<double> speed(robot.joints.size(), 0.0);
  for (const RobotRecord& record : records) {
    const std::vector<double> own = fastest_speeds(robot, record);
    for (std::size_t j = 0; j < speed.size(); ++j) speed[j] = std::max(speed[j], own[j]);
  }
  std::vector<DecayRange> ranges;
  for (const double fastest : speed) {
    const double most = 2.0 / robot.terms.width;
    ranges.push_back({std::min(fastest > 0.0 ? 1.0 / fastest : most, most), most});
  }
  return ranges;
}

// The start with the smallest residual among those by which the friction falls.
void start_well(RobotSpec& robot, const Records& records, const std::vector<DecayRange>& ranges) {
  constexpr int kStarts = 7;  // of a range of two decades: less than a factor of two apart
  const std::vector<double> given = robot.terms.decay;
  std::vector<double> best = given, least(given.size(), std::numeric_limits<double>::infinity());
  robot.terms.linearised = false;
  for (int start = 0; start <= kStarts; ++start) {
    for (std::size_t j = 0; j < given.size(); ++j) {
      const double share = static_cast<double>(start) / (kStarts + 1);
      robot.terms.decay[j] = start == 0 ? std::clamp(given[j], ranges[j].slowest, ranges[j].fastest)
                                        : ranges[j].slowest * std::pow(ranges[j].fastest / ranges[j].slowest, share);
    }
    const RobotIdentification identification(robot);
    const RobotFit fit = identification.fit(records);
    for (std::size_t j = 0; j < given.size(); ++j) {
      const double left = fit.residual_rms[static_cast<Eigen::Index>(j)];
      if (left < least[j] && excess_of(identification, fit, static_cast<int>(j), 0.0))
        least[j] = left, best[j] = robot.terms.decay[j];
    }
  }
  robot.terms.decay = best;
  robot.terms.linearised = true;
}

// By Gauss and Newton, all joints together; those with a decay of zero stay.
void search(RobotSpec& robot, const Records& records, const std::vector<DecayRange>& ranges) {
  constexpr int kMostPasses = 12;
  constexpr double kLargest = 0.7, kSettled = 1e-3;  // of ln(decay)
  for (int pass = 0; pass < kMostPasses; ++pass) {
    const RobotIdentification identification(robot);
    const RobotFit fit = identification.fit(records);
    std::vector<double> next = robot.terms.decay;
    double largest = 0.0;
    for (std::size_t j = 0; j < next.size(); ++j) {
      // Far from the decay that is sought, the excess may be within its uncertainty.
      const auto change = change_of(identification, fit, static_cast<int>(j), 0.0);
      if (!change) continue;
      const double before = next[j], step = std::clamp(change->value, -kLargest, kLargest);
      next[j] = std::clamp(before * std::exp(step), ranges[j].slowest, ranges[j].fastest);
      largest = std::max(largest, std::abs(std::log(next[j] / before)));
    }
    robot.terms.decay = next;
    if (largest < kSettled) break;
  }
}

FrictionFall judged(const RobotIdentification& identification, const RobotFit& fit, int joint,
                    const DecayRange& range) {
  constexpr double kSettledAtLast = 0.02;  // of ln(decay): well within its uncertainty
  const double decay = identification.robot().terms.decay[static_cast<std::size_t>(joint)];
  const auto change = change_of(identification, fit, joint, kSure);
  if (!change) return {};
  if (range.is_slowest(decay)) return {Verdict::too_slow};
  if (range.is_fastest(decay)) return {Verdict::too_fast};
  if (std::abs(change->value) > kSettledAtLast) return {Verdict::not_settled};
  return {Verdict::found, decay, decay * change->std};
}

}  // namespace

RobotSpec FallingFriction::model() const {
  RobotSpec model = robot;
  model.terms.linearised = false;
  return model;
}

FallingFriction fit_falling_friction(const RobotSpec& robot, const Records& records) {
  FallingFriction result{robot, {}};
  if (!robot.terms.excess()) return result;
  RobotSpec& fitted = result.robot;
  fitted.terms.decay.resize(robot.joints.size(), kUsualDecay);
  const std::vector<DecayRange> ranges = ranges_of(robot, records);
  start_well(fitted, records, ranges);
  result.joints.resize(robot.joints.size());
  // A joint that does not fall takes its columns along, which the others were fitted beside: again without them.
  for (bool is_changed = true; is_changed;) {
    search(fitted, records, ranges);
    const RobotIdentification identification(fitted);
    const RobotFit fit = identification.fit(records);
    is_changed = false;
    for (std::size_t j = 0; j < result.joints.size(); ++j) {
      double& decay = fitted.terms.decay[j];
      if (decay == 0.0) continue;
      result.joints[j] = judged(identification, fit, static_cast<int>(j), ranges[j]);
      if (result.joints[j].verdict != Verdict::found) decay = 0.0, is_changed = true;
    }
  }
  return result;
}

}  // namespace tauhat
