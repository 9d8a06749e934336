#include "tauhat/offline/robot/friction_shape.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "tauhat/offline/robot/shape_ranges.hpp"

namespace tauhat {
namespace {

using Kind = TorqueColumns::FrictionKind;
using Records = std::vector<RobotRecord>;
using Verdict = FoundShape::Verdict;

constexpr double kSure = 3.0;  // deviations, by which what falls or bends must differ from none

// What is searched: a number of each joint, the column of its change, and that of the level which it shapes.
struct Shape {
  Kind level, change;
  std::vector<double> TorqueTerms::*values;
};
constexpr Shape kFall{Kind::excess, Kind::decay, &TorqueTerms::decay};
constexpr Shape kBend{Kind::coulomb, Kind::reach, &TorqueTerms::reach};

struct Searched {
  Shape shape;
  std::vector<ShapeRange> ranges;  // of each joint
  std::vector<FoundShape>* found;
};

// Number of the base parameter that is this friction of a joint; -1: there is none.
int parameter_of(const RobotIdentification& identification, Kind kind, int joint) {
  const TorqueColumns& columns = identification.columns();
  const std::vector<int>& chosen = identification.base().columns;
  const auto found = std::find_if(chosen.begin(), chosen.end(), [&](int column) {
    return column >= columns.inertial() && columns.joint(column) == joint && columns.friction_kind(column) == kind;
  });
  return found == chosen.end() ? -1 : static_cast<int>(found - chosen.begin());
}

// A level of a joint where it is larger than so many of its deviations; else empty.
std::optional<double> level_of(const RobotIdentification& identification, const RobotFit& fit, Kind kind, int joint,
                               double deviations) {
  const int level = parameter_of(identification, kind, joint);
  if (level < 0 || !fit.is_determined(level)) return std::nullopt;
  const double value = fit.base.values[level];
  const bool is_larger = value > deviations * fit.deviation(level);
  return is_larger ? std::optional(value) : std::nullopt;
}

// The change of a number's logarithm that the linear fit asks for, and its deviation.
struct Change {
  double value, std;
};
std::optional<Change> change_of(const RobotIdentification& identification, const RobotFit& fit, const Shape& shape,
                                int joint, double deviations) {
  const int change = parameter_of(identification, shape.change, joint);
  const std::optional<double> level = level_of(identification, fit, shape.level, joint, deviations);
  if (!level || change < 0 || !fit.is_determined(change)) return std::nullopt;
  return Change{fit.base.values[change] / *level, fit.deviation(change) / *level};
}

// The start with the smallest residual among those by which there is something to shape.
void start_well(RobotSpec& robot, const Records& records, const Searched& searched) {
  constexpr int kStarts = 7;  // of a range of some decades: a few times apart
  const Shape& shape = searched.shape;
  std::vector<double>& values = robot.terms.*shape.values;
  const std::vector<double> given = values;
  std::vector<double> best = given, least(given.size(), std::numeric_limits<double>::infinity());
  robot.terms.linearised = false;
  for (int start = 0; start <= kStarts; ++start) {
    for (std::size_t j = 0; j < given.size(); ++j) {
      const ShapeRange& range = searched.ranges[j];
      const double share = static_cast<double>(start) / (kStarts + 1);
      values[j] = start == 0 && given[j] > 0.0 ? std::clamp(given[j], range.least, range.most)
                                               : range.least * std::pow(range.most / range.least, share);
    }
    const RobotIdentification identification(robot);
    const RobotFit fit = identification.fit(records);
    for (std::size_t j = 0; j < given.size(); ++j) {
      const double left = fit.residual_rms[static_cast<Eigen::Index>(j)];
      if (left < least[j] && level_of(identification, fit, shape.level, static_cast<int>(j), 0.0))
        least[j] = left, best[j] = values[j];
    }
  }
  values = best;
  robot.terms.linearised = true;
}

// The excess over the level at speed, about which a law with a memory is linearised.
void update_ratios(const RobotIdentification& identification, const RobotFit& fit, TorqueTerms& terms) {
  constexpr double kLargest = 3.0;
  for (std::size_t j = 0; terms.memory() && terms.excess() && j < terms.ratio.size(); ++j) {
    const auto joint = static_cast<int>(j);
    const auto excess = level_of(identification, fit, Kind::excess, joint, 0.0),
               coulomb = level_of(identification, fit, Kind::coulomb, joint, 0.0);
    terms.ratio[j] = excess && coulomb ? std::min(*excess / *coulomb, kLargest) : 0.0;
  }
}

// By Gauss and Newton, all joints and shapes together; numbers of zero stay.
void search(RobotSpec& robot, const Records& records, const std::vector<Searched>& all) {
  constexpr int kMostPasses = 12;
  constexpr double kLargest = 0.7, kSettled = 1e-3;  // of the logarithms
  for (int pass = 0; pass < kMostPasses; ++pass) {
    const RobotIdentification identification(robot);
    const RobotFit fit = identification.fit(records);
    TorqueTerms next = robot.terms;
    double largest = 0.0;
    for (const Searched& searched : all) {
      std::vector<double>& values = next.*searched.shape.values;
      for (std::size_t j = 0; j < values.size(); ++j) {
        // Far from the number that is sought, what it shapes may be within its uncertainty.
        const auto change = change_of(identification, fit, searched.shape, static_cast<int>(j), 0.0);
        if (!change || values[j] == 0.0) continue;
        const double before = values[j], step = std::clamp(change->value, -kLargest, kLargest);
        values[j] = std::clamp(before * std::exp(step), searched.ranges[j].least, searched.ranges[j].most);
        largest = std::max(largest, std::abs(std::log(values[j] / before)));
      }
    }
    update_ratios(identification, fit, next);
    robot.terms = next;
    if (largest < kSettled) break;
  }
}

FoundShape judged(const RobotIdentification& identification, const RobotFit& fit, const Searched& searched,
                  std::size_t j) {
  constexpr double kSettledAtLast = 0.02;  // of the logarithm: well within its uncertainty
  const double value = (identification.robot().terms.*searched.shape.values)[j];
  const auto change = change_of(identification, fit, searched.shape, static_cast<int>(j), kSure);
  if (!change) return {};
  if (searched.ranges[j].is_least(value)) return {Verdict::at_lower_edge};
  if (searched.ranges[j].is_most(value)) return {Verdict::at_upper_edge};
  if (std::abs(change->value) > std::max(kSettledAtLast, 0.2 * change->std)) return {Verdict::not_settled};
  return {Verdict::found, value, value * change->std};
}

void settle_shapes(RobotSpec& robot, const Records& records, const std::vector<Searched>& all) {
  // A joint that does not fall or bend takes its columns along, which the others were fitted beside: again without
  // them.
  for (bool is_changed = true; is_changed;) {
    search(robot, records, all);
    const RobotIdentification identification(robot);
    const RobotFit fit = identification.fit(records);
    TorqueTerms next = robot.terms;
    is_changed = false;
    for (const Searched& searched : all) {
      if (is_changed) break;  // what is left may look different without what has gone
      for (std::size_t j = 0; j < searched.found->size(); ++j) {
        double& value = (next.*searched.shape.values)[j];
        if (value == 0.0) continue;
        FoundShape& found = (*searched.found)[j];
        found = judged(identification, fit, searched, j);
        if (found.verdict != Verdict::found) value = 0.0, is_changed = true;
      }
    }
    robot.terms = next;
  }
}

void find_shapes(RobotSpec& robot, const Records& records, const std::vector<Searched>& all) {
  // Bending first, and to its end: a reach that is only about right hides what falls.
  for (auto searched = all.rbegin(); searched != all.rend(); ++searched) {
    start_well(robot, records, *searched);
    if (all.size() > 1) search(robot, records, {*searched});
  }
  settle_shapes(robot, records, all);
}

// The bodies' torque is the load; with the friction that it makes, they are others.
void settle_load(RobotSpec& robot, const Records& records) {
  constexpr int kMostPasses = 10;
  constexpr double kSettled = 1e-4;  // of the coefficients
  Eigen::VectorXd before = Eigen::VectorXd::Zero(robot.count());
  robot.terms.load = robot.terms.load_parameters.size() > 0;
  for (int pass = 0; pass < kMostPasses; ++pass) {
    const RobotIdentification identification(robot);
    const RobotFit fit = identification.fit(records);
    const TorqueColumns& columns = identification.columns();
    Eigen::VectorXd parameters = Eigen::VectorXd::Zero(columns.inertial()), now = before;
    for (int k = 0; k < identification.base().count(); ++k) {
      const int column = identification.base().columns[static_cast<std::size_t>(k)];
      if (column < columns.inertial())
        parameters[column] = fit.values[k];
      else if (columns.friction_kind(column) == Kind::load)
        now[columns.joint(column)] = fit.values[k];
    }
    robot.terms.load = true;
    robot.terms.load_parameters = parameters;
    if (pass > 0 && (now - before).cwiseAbs().maxCoeff() < kSettled) break;
    before = now;
  }
}

}  // namespace

RobotSpec ShapedFriction::model() const {
  RobotSpec model = robot;
  model.terms.linearised = false;
  return model;
}

ShapedFriction fit_friction_shape(const RobotSpec& robot, const Records& records) {
  ShapedFriction result{robot, {}, {}};
  RobotSpec& fitted = result.robot;
  const std::size_t joints = robot.joints.size();
  fitted.terms.decay.resize(joints, kUsualDecay);
  fitted.terms.reach.resize(joints, 0.0);
  fitted.terms.ratio.resize(joints, 0.0);
  std::vector<Searched> all;
  if (robot.terms.excess()) {
    result.falls.resize(joints);
    all.push_back({kFall, decay_ranges(robot, records), &result.falls});
  }
  if (robot.terms.memory()) {
    result.bends.resize(joints);
    all.push_back({kBend, reach_ranges(robot, records), &result.bends});
  }
  if (robot.terms.load) settle_load(fitted, records);
  if (all.empty()) return result;
  find_shapes(fitted, records, all);
  // Each was found beside the other as it was then.
  constexpr int kRounds = 3;
  for (int round = 0; robot.terms.load && round < kRounds; ++round) {
    settle_load(fitted, records);
    settle_shapes(fitted, records, all);
  }
  return result;
}

}  // namespace tauhat
