#include "tauhat/offline/robot/force_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tauhat/offline/log/csv.hpp"
#include "tauhat/offline/report/identifiability.hpp"
#include "tauhat/offline/report/series.hpp"
#include "tauhat/offline/robot/force_covariance.hpp"
#include "tauhat/offline/robot/force_estimator.hpp"

namespace tauhat {
namespace {

constexpr double kSettling = 0.3;  // s, as the papers' experiments leave it out

const char* name_of(ForceSpec::Kind kind) {
  return kind == ForceSpec::Kind::ekf                 ? "augmented filter"
         : kind == ForceSpec::Kind::momentum_observer ? "momentum observer"
                                                      : "disturbance filter";
}

std::string axis_name(int axis) { return std::string(kWrenchSignals[static_cast<std::size_t>(axis)].name); }

const Track& force_track(const ForceRun& run, const RobotSpec& robot, int axis) {
  return run.tracks[static_cast<std::size_t>(force_outputs(robot).force(axis))];
}

std::vector<double> force_size(const ForceRun& run, const RobotSpec& robot) {
  std::vector<double> size(run.time.size());
  for (std::size_t k = 0; k < size.size(); ++k)
    size[k] = std::hypot(force_track(run, robot, 0).value[k], force_track(run, robot, 1).value[k],
                         force_track(run, robot, 2).value[k]);
  return size;
}

// On a straight line between two estimates; NaN before the first and after the last.
double estimate_at(const std::vector<double>& time, const std::vector<double>& value, double t, std::size_t& next) {
  while (next < time.size() && time[next] < t) ++next;
  if (next == time.size()) return std::nan("");
  if (time[next] == t) return value[next];
  if (next == 0) return std::nan("");
  const double share = (t - time[next - 1]) / (time[next] - time[next - 1]);
  return value[next - 1] + share * (value[next] - value[next - 1]);
}

// Mean square of the difference to the truth over three axes, from the settling time on; empty without truth.
std::optional<double> error_to_truth(const Log& log, const ForceRun& run, const RobotSpec& robot) {
  double sum = 0.0, count = 0.0;
  for (int axis = 0; axis < 3; ++axis) {
    const Channel* truth = log.find("truth." + axis_name(axis));
    if (!truth) return std::nullopt;
    std::size_t next = 0;
    for (std::size_t k = 0; k < truth->time->size(); ++k) {
      const double t = (*truth->time)[k];
      const double difference = estimate_at(run.time, force_track(run, robot, axis).value, t, next) - truth->value[k];
      if (t - run.time.front() < kSettling || !std::isfinite(difference)) continue;
      sum += difference * difference, ++count;
    }
  }
  return std::sqrt(sum / count);
}

Plot time_plot(std::string title, std::string unit) {
  return {.title = std::move(title), .x_label = "time [s]", .y_label = std::move(unit), .caption = {}, .series = {}};
}

Series level(const std::string& name, const ForceRun& run, double value) {
  return dashed(line(name, {run.time.front(), run.time.back()}, {value, value}));
}

void add_references(const Log& log, int axis, Plot& plot) {
  for (const char* prefix : {"truth.", ""}) {
    const Channel* channel = log.find(prefix + axis_name(axis));
    if (channel) plot.series.push_back(line(*prefix ? "truth" : "force sensor", *channel->time, channel->value));
  }
}

Section force_section(const Study& study, const Log& log, const ForceRun& run,
                      const std::optional<FloorAnswer>& floor) {
  const RobotSpec& robot = *study.robot;
  const ForceOutputs places = force_outputs(robot);
  Section section{"Force",
                  fmt::format("Of the environment on the robot at {}, in {} axes. Bands are 95 %{}", robot.force.frame,
                              robot.force.axes == WrenchAxes::world ? "world" : "the frame's",
                              floor ? fmt::format("; the narrow one is the floor, the rms that {} "
                                                  "shows without contact.",
                                                  floor->source)
                                    : ". Without a floor (--floor LOG) nobody knows what the model's errors look like "
                                      "as a force."),
                  {},
                  {}};
  for (int axis = 0; axis < places.axes; ++axis) {
    const Track& track = force_track(run, robot, axis);
    Plot plot = time_plot(axis_name(axis), axis < 3 ? "N" : "N m");
    plot.series = {band("95 %", run.time, track.value, track.std), line("estimate", run.time, track.value)};
    add_references(log, axis, plot);
    if (floor && axis < 3)
      plot.series.push_back({.kind = Series::Kind::band,
                             .name = "floor",
                             .x = {run.time.front(), run.time.back()},
                             .y = {-floor->force, -floor->force},
                             .upper = {floor->force, floor->force}});
    section.plots.push_back(std::move(plot));
  }
  return section;
}

Section torque_section(const RobotSpec& robot, const ForceRun& run) {
  Section section{"External torques", "Of the environment on each joint, N m; bands are 95 %.", {}, {}};
  for (int i = 0; i < robot.count(); ++i) {
    const auto& [value, std] = run.tracks[static_cast<std::size_t>(i)];
    Plot plot = time_plot(robot.joints[static_cast<std::size_t>(i)].name, joint_unit(robot, i, "N m"));
    plot.series = {band("95 %", run.time, value, std), line("external torque", run.time, value)};
    section.plots.push_back(std::move(plot));
  }
  return section;
}

Plot detection_curve(const FloorAnswer& floor, const ContactThreshold& threshold) {
  constexpr int kPoints = 40;
  constexpr double kNearlySure = 0.99;
  const double last = 1.3 * detectable_force(floor.samples, threshold, kNearlySure);
  std::vector<double> force, probability;
  for (int i = 0; i <= kPoints; ++i) {
    force.push_back(last * i / kPoints);
    probability.push_back(detection_probability(floor.samples, threshold, force.back()));
  }
  Plot plot{.title = "How sure a force is seen",
            .x_label = "force [N]",
            .y_label = "probability",
            .caption = "In one sample, averaged over all directions; at zero it is the false-alarm rate.",
            .series = {}};
  plot.series = {line("called contact", force, probability)};
  return plot;
}

Section contact_section(const RobotSpec& robot, const ForceRun& run, const std::optional<FloorAnswer>& floor,
                        const std::vector<ContactInterval>& intervals) {
  Section section{"Contact", "", {}, {}};
  Plot plot = time_plot("size of the force", "N");
  plot.series = {line("estimate", run.time, force_size(run, robot))};
  const double threshold = *robot.force.contact.threshold;
  plot.series.push_back(level("threshold", run, threshold));
  section.plots.push_back(std::move(plot));
  if (floor && !floor->samples.empty())
    section.plots.push_back(detection_curve(*floor, {threshold, robot.force.contact.false_alarm_rate, false}));
  Table table{"contacts", {"from [s]", "to [s]", "largest force [N]"}, {}};
  for (const ContactInterval& each : intervals)
    table.rows.push_back(
        {fmt::format("{:.3f}", each.from), fmt::format("{:.3f}", each.to), fmt::format("{:.1f}", each.peak)});
  section.text = fmt::format(
      "{} intervals above {:.3g} N. At a standstill friction hides the force, and contact is left "
      "open.",
      intervals.size(), threshold);
  if (!intervals.empty()) section.tables.push_back(std::move(table));
  return section;
}

Section observer_section(const Log& log, const RobotSpec& robot, const std::vector<const ForceRun*>& runs) {
  Section section{"Estimators side by side",
                  "The same log, the same model. Where they differ, it is their answer to noise and to friction.",
                  {},
                  {}};
  for (int axis = 0; axis < 3; ++axis) {
    Plot plot = time_plot(axis_name(axis), "N");
    for (const ForceRun* run : runs)
      plot.series.push_back(line(name_of(run->kind), run->time, force_track(*run, robot, axis).value));
    add_references(log, axis, plot);
    section.plots.push_back(std::move(plot));
  }
  Table table{"rms error to the truth", {"estimator", "force [N]"}, {}};
  for (const ForceRun* run : runs)
    if (const auto error = error_to_truth(log, *run, robot))
      table.rows.push_back({name_of(run->kind), fmt::format("{:.3f}", *error)});
  if (!table.rows.empty()) section.tables.push_back(std::move(table));
  return section;
}

void add_agreement(const Log& log, const RobotSpec& robot, const ForceRun& run, Report& report) {
  if (const auto error = error_to_truth(log, run, robot))
    report.results.push_back({.name = "force.rmse", .value = *error, .unit = "N", .note = "to the truth, per axis"});
  for (int axis = 0; axis < force_outputs(robot).axes; ++axis) {
    const Channel* sensor = log.find(axis_name(axis));
    if (!sensor) continue;
    const Agreement found = agreement_with(*sensor, run.time, force_track(run, robot, axis).value);
    const std::string name = axis_name(axis), unit = axis < 3 ? "N" : "N m";
    report.results.push_back({.name = name + ".correlation",
                              .value = found.correlation,
                              .unit = "1",
                              .note = fmt::format("with the force sensor, {} samples", found.samples)});
    report.results.push_back(
        {.name = name + ".difference", .value = found.rms, .unit = unit, .note = "rms, after removing a constant"});
    report.results.push_back({.name = name + ".offset", .value = found.offset, .unit = unit, .note = "that constant"});
  }
}

// The outputs at the last instant, as every report of `estimate` has them.
void add_last(const RobotSpec& robot, const ForceRun& run, Report& report) {
  const ForceOutputs places = force_outputs(robot);
  for (int i = 0; i < places.joints + places.axes; ++i) {
    const auto& [value, std] = run.tracks[static_cast<std::size_t>(i)];
    const OutputInfo& output = run.outputs[static_cast<std::size_t>(i)];
    Result& result = report.results.emplace_back(with_interval(output.name, value.back(), std.back(), output.unit));
    result.note = "at the last instant";
    if (!run.budgets.empty()) result.budget = run.budgets[static_cast<std::size_t>(i)];
    // All that is known along an axis that no joint feels.
    if (const int axis = i - places.joints; axis >= 0) compare_with_prior(result, known_beforehand(robot.force, axis));
  }
}

}  // namespace

std::vector<ChannelSpec> force_truth_channels(const std::string& path, const RobotSpec& robot) {
  std::vector<ChannelSpec> channels;
  if (!path.ends_with(".csv")) return channels;
  const std::vector<ColumnInfo> columns = list_csv(path);
  for (int axis = 0; axis < force_outputs(robot).axes; ++axis) {
    const std::string name = "truth." + axis_name(axis);
    if (std::any_of(columns.begin(), columns.end(), [&](const ColumnInfo& column) { return column.name == name; }))
      channels.push_back({.signal = name, .column = name});
  }
  return channels;
}

Agreement agreement_with(const Channel& sensor, const std::vector<double>& time, const std::vector<double>& estimate) {
  std::vector<double> a, b;
  std::size_t next = 0;
  for (std::size_t k = 0; k < sensor.time->size(); ++k) {
    const double value = estimate_at(time, estimate, (*sensor.time)[k], next);
    if (!std::isfinite(value) || !std::isfinite(sensor.value[k])) continue;
    a.push_back(value), b.push_back(sensor.value[k]);
  }
  const Eigen::Map<const Eigen::ArrayXd> x(a.data(), static_cast<Eigen::Index>(a.size())),
      y(b.data(), static_cast<Eigen::Index>(b.size()));
  if (a.empty()) return {};
  const Eigen::ArrayXd dx = x - x.mean(), dy = y - y.mean();
  return {(dx * dy).sum() / std::sqrt(dx.square().sum() * dy.square().sum()), std::sqrt((dx - dy).square().mean()),
          x.mean() - y.mean(), a.size()};
}

std::vector<ContactInterval> contact_intervals(const ForceRun& run, const RobotSpec& robot) {
  constexpr double kJoined = 0.05, kShortest = 0.01;  // s
  const std::vector<double>& contact = run.tracks[static_cast<std::size_t>(force_outputs(robot).contact())].value;
  const std::vector<double> size = force_size(run, robot);
  std::vector<ContactInterval> intervals;
  for (std::size_t k = 0; k < contact.size(); ++k) {
    if (!(contact[k] > 0.0)) continue;
    if (intervals.empty() || run.time[k] - intervals.back().to > kJoined)
      intervals.push_back({run.time[k], run.time[k], 0.0});
    intervals.back().to = run.time[k];
    intervals.back().peak = std::max(intervals.back().peak, size[k]);
  }
  std::erase_if(intervals, [&](const ContactInterval& each) { return each.to - each.from < kShortest; });
  return intervals;
}

Report force_report(const Study& study, const Log& log, const ForceRun& run, const std::vector<ForceRun>& others,
                    const std::optional<FloorAnswer>& floor) {
  const RobotSpec& robot = *study.robot;
  const bool has_force = force_outputs(robot).axes > 0;
  Report report;
  report.command = "estimate";
  if (floor) add_floor(*floor, study, report);
  if (has_force) add_agreement(log, robot, run, report);
  add_last(robot, run, report);
  std::string contacts;
  if (has_force && robot.force.contact.threshold) {
    const auto intervals = contact_intervals(run, robot);
    contacts = fmt::format(" Contact in {} intervals.", intervals.size());
    report.sections.push_back(contact_section(robot, run, floor, intervals));
  } else if (has_force) {
    report.diagnostics.push_back(
        {"force.floor_unknown", Severity::warning,
         "Nobody has said what this estimate shows without contact: record such a motion and give it with --floor."});
  }
  report.headline = fmt::format("{} instants by the {}{}.{}", run.time.size(), name_of(run.kind),
                                has_force ? fmt::format(", at {}", robot.force.frame) : "", contacts);
  if (has_force) {
    report.sections.insert(report.sections.begin(), force_section(study, log, run, floor));
    std::vector<const ForceRun*> runs{&run};
    for (const ForceRun& other : others) runs.push_back(&other);
    if (runs.size() > 1) report.sections.push_back(observer_section(log, robot, runs));
  }
  report.sections.push_back(torque_section(robot, run));
  report.assumptions = study.assumptions;
  return report;
}

}  // namespace tauhat
