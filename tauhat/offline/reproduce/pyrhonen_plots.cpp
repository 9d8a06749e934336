#include "tauhat/offline/reproduce/pyrhonen_plots.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tauhat/core/robot/force_filter.hpp"
#include "tauhat/offline/report/series.hpp"
#include "tauhat/offline/report/uncertainty.hpp"
#include "tauhat/offline/reproduce/pyrhonen_force.hpp"
#include "tauhat/offline/reproduce/pyrhonen_identification.hpp"

namespace tauhat::pyrhonen {
namespace {

Series bars(std::string name) { return {.kind = Series::Kind::bars, .name = std::move(name), .is_time_series = false}; }

void add_bar(Series& series, const std::string& label, double value) {
  series.x.push_back(static_cast<double>(series.x.size()));
  series.y.push_back(value);
  series.labels.push_back(label);
}

// The force of the filter, and its deviation, sample by sample.
struct EstimatedForce {
  std::vector<double> time;
  std::array<std::vector<double>, 3> applied, estimated, deviation;
};

EstimatedForce estimated_force(std::uint64_t seed) {
  const PushedArm<kJoints> arm = pushed_arm(true_model(), false);
  const ArmModel believed = identified_model(seed);
  ForceNoise<double, kJoints> noise(kJoints);
  noise.position.setConstant(kPositionNoise);
  noise.torque.setConstant(kTorqueNoise);
  ForceFilter<double, kJoints, 3> filter(believed.arm, believed.friction, arm.frame, noise);
  const ForceRecord pushed = record(arm, seed);
  filter.start(pushed.front().position, pushed.front().velocity);
  EstimatedForce force;
  for (std::size_t k = 0; k < pushed.size(); ++k) {
    filter.correct(pushed[k].measured_position);
    const auto estimate = filter.force();
    force.time.push_back(static_cast<double>(k) * kPeriod);
    for (int axis = 0; axis < 3; ++axis) {
      const auto at = static_cast<std::size_t>(axis);
      force.applied[at].push_back(pushed[k].wrench[axis]);
      force.estimated[at].push_back(estimate.force[axis]);
      force.deviation[at].push_back(estimate.standard_deviation(axis));
    }
    filter.predict(pushed[k].measured_torque, kPeriod);
  }
  return force;
}

}  // namespace

Section parameter_figure(std::uint64_t seed) {
  const Identification& arm = Identification::of_the_arm();
  const RobotFit fit = high_noise_fit(seed);
  const Eigen::VectorXd nominal = nominal_base_parameters(seed);
  Section section{"Base parameters", "Fig. 2a: of the record with high noise, first seed.", {}, {}};
  std::vector<std::string> units;
  for (const int column : arm.base.columns) {
    std::string unit(arm.columns.unit(column));
    if (std::find(units.begin(), units.end(), unit) == units.end()) units.push_back(std::move(unit));
  }
  for (const std::string& unit : units) {
    Series truth = bars("true"), before = bars("nominal"), after = bars("identified, 95 %");
    for (int k = 0; k < arm.base.count(); ++k) {
      const int column = arm.base.columns[static_cast<std::size_t>(k)];
      if (arm.columns.unit(column) != unit) continue;
      add_bar(truth, arm.columns.name(column), arm.truth[k]);
      add_bar(before, arm.columns.name(column), nominal[k]);
      add_bar(after, arm.columns.name(column), fit.base.values[k]);
      after.upper.push_back(k95 * fit.deviation(k));
    }
    section.plots.push_back({.title = fmt::format("Parameters in {}", unit),
                             .x_label = "",
                             .y_label = unit,
                             .caption = "Each stands for its group; the identified one is beside the true one.",
                             .series = {std::move(truth), std::move(before), std::move(after)}});
  }
  return section;
}

Section force_figure(std::uint64_t seed) {
  const EstimatedForce force = estimated_force(seed);
  Section section{"Force at the tool", "Fig. 2b: by the augmented filter with the identified arm, first seed.", {}, {}};
  for (const std::size_t axis : {std::size_t{0}, std::size_t{1}, std::size_t{2}}) {
    const auto& estimated = force.estimated[axis];
    section.plots.push_back(
        {.title = fmt::format("force.{}", "xyz"[axis]),
         .x_label = "time [s]",
         .y_label = "force [N]",
         .caption = "The band should hold what is applied, but for some ms after a step.",
         .series = {band("95 %", force.time, estimated, force.deviation[axis]),
                    line("applied", force.time, force.applied[axis]), line("estimated", force.time, estimated)}});
  }
  return section;
}

}  // namespace tauhat::pyrhonen
