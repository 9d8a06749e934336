#include "tauhat/offline/robot/friction_decay.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "tauhat/offline/quantile.hpp"

namespace tauhat {
namespace {

using Kind = TorqueColumns::FrictionKind;

// Number of the base parameter that is this friction of a joint; -1: there is none.
int parameter_of(const RobotIdentification& identification, Kind kind, int joint) {
  const TorqueColumns& columns = identification.columns();
  const std::vector<int>& chosen = identification.base().columns;
  const auto found = std::find_if(chosen.begin(), chosen.end(), [&](int column) {
    return column >= columns.inertial() && columns.joint(column) == joint && columns.friction_kind(column) == kind;
  });
  return found == chosen.end() ? -1 : static_cast<int>(found - chosen.begin());
}

// The change of ln(decay) that the linear fit asks for, and its deviation, where the excess is larger than so many of
// its own deviations.
std::optional<Decay> relative_change(const RobotIdentification& identification, const RobotFit& fit, int joint,
                                     double deviations) {
  const int excess = parameter_of(identification, Kind::excess, joint),
            change = parameter_of(identification, Kind::decay, joint);
  if (excess < 0 || change < 0 || !fit.is_determined(excess) || !fit.is_determined(change)) return std::nullopt;
  const double level = fit.base.values[excess];
  if (!(level > deviations * fit.deviation(excess))) return std::nullopt;
  return Decay{fit.base.values[change] / level, fit.deviation(change) / level};
}

// The speed that a joint exceeds in a hundredth of the time.
double fastest(const RobotRecord& record, std::size_t joint) {
  constexpr double kOver = 0.02;  // s
  const auto steps = static_cast<std::size_t>(std::max(1.0, std::round(kOver / record.period)));
  const std::vector<double>& q = record.position[joint];
  std::vector<double> speeds;
  for (std::size_t k = steps; k < q.size(); k += steps)
    speeds.push_back(std::abs(q[k] - q[k - steps]) / (static_cast<double>(steps) * record.period));
  return speeds.empty() ? 0.0 : quantile_in_place(speeds, 0.99);
}

// The decays that a motion can tell: what falls more slowly than the fastest speed is viscous friction, what falls
// faster than the sign changes is none.
struct DecayRange {
  double slowest, fastest;
};

std::vector<DecayRange> ranges_of(const RobotSpec& robot, const std::vector<RobotRecord>& records) {
  std::vector<DecayRange> ranges;
  for (std::size_t j = 0; j < robot.joints.size(); ++j) {
    double speed = 0.0;
    for (const RobotRecord& record : records) speed = std::max(speed, fastest(record, j));
    const double most = 2.0 / robot.terms.width;
    ranges.push_back({std::min(speed > 0.0 ? 1.0 / speed : most, most), most});
  }
  return ranges;
}

void start_well(RobotSpec& robot, const std::vector<RobotRecord>& records, const std::vector<DecayRange>& ranges) {
  constexpr std::array<double, 4> kShares{0.2, 0.4, 0.6, 0.8};  // of the way from the slowest decay to the fastest
  const std::size_t joints = robot.joints.size();
  std::vector<double> best = robot.terms.decay, least(joints, std::numeric_limits<double>::infinity());
  for (const double share : kShares) {
    for (std::size_t j = 0; j < joints; ++j)
      robot.terms.decay[j] = ranges[j].slowest * std::pow(ranges[j].fastest / ranges[j].slowest, share);
    const RobotFit fit = RobotIdentification(robot).fit(records);
    for (std::size_t j = 0; j < joints; ++j) {
      const double left = fit.residual_rms[static_cast<Eigen::Index>(j)];
      if (left < least[j]) least[j] = left, best[j] = robot.terms.decay[j];
    }
  }
  robot.terms.decay = best;
}

}  // namespace

RobotSpec with_fitted_decay(const RobotSpec& robot, const std::vector<RobotRecord>& records) {
  if (!robot.terms.excess()) return robot;
  constexpr int kMostPasses = 12;
  constexpr double kLargest = 0.7, kSettled = 1e-3;  // of ln(decay)
  RobotSpec fitted = robot;
  const std::vector<DecayRange> ranges = ranges_of(robot, records);
  start_well(fitted, records, ranges);
  for (int pass = 0; pass < kMostPasses; ++pass) {
    const RobotIdentification identification(fitted);
    const RobotFit fit = identification.fit(records);
    double largest = 0.0;
    std::vector<double> next = fitted.terms.decay;
    for (int joint = 0; joint < fitted.count(); ++joint) {
      // Far from the decay that is sought, the excess alone may seem to be none.
      const std::optional<Decay> change = relative_change(identification, fit, joint, 0.0);
      if (!change) continue;  // rising friction is none of a law that falls
      const double step = std::clamp(change->value, -kLargest, kLargest);
      const DecayRange& range = ranges[static_cast<std::size_t>(joint)];
      double& decay = next[static_cast<std::size_t>(joint)];
      const double before = decay;
      decay = std::clamp(decay * std::exp(step), range.slowest, range.fastest);
      largest = std::max(largest, std::abs(std::log(decay / before)));
    }
    fitted.terms.decay = next;
    if (largest < kSettled) break;
  }
  return fitted;
}

std::optional<Decay> fitted_decay(const RobotIdentification& identification, const RobotFit& fit, int joint) {
  constexpr double kSure = 3.0;  // deviations
  const std::optional<Decay> change = relative_change(identification, fit, joint, kSure);
  if (!change) return std::nullopt;
  const double decay = identification.robot().terms.decay[static_cast<std::size_t>(joint)];
  return Decay{decay * std::exp(change->value), decay * change->std};
}

}  // namespace tauhat
