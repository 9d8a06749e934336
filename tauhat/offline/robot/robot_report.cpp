#include "tauhat/offline/robot/robot_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tauhat/offline/identify/backlash_report.hpp"
#include "tauhat/offline/report/series.hpp"
#include "tauhat/offline/report/verdict.hpp"
#include "tauhat/offline/robot/robot_checks.hpp"
#include "tauhat/offline/robot/robot_log.hpp"
#include "tauhat/offline/robot/robot_regression.hpp"

namespace tauhat {
namespace {

// What all of a robot's reports stand on.
struct Regression {
  explicit Regression(const RobotSpec& spec)
      : robot(spec), columns(spec.robot, spec.friction_columns), base(base_parameters(columns)) {}

  MotionRowSource rows(const RobotRecord& record) const { return {record, columns, base, robot.rows}; }
  RobotFit fit(const RobotRecord& record) const {
    constexpr int kReweightings = 3;
    return fit_robot(sum_rows(rows(record)), {JointWeights::by_residual, kReweightings});
  }
  const std::string& joint_name(int parameter) const {
    const int joint = columns.joint(base.columns[static_cast<std::size_t>(parameter)]);
    return robot.joints[static_cast<std::size_t>(joint)].name;
  }

  const RobotSpec& robot;
  TorqueColumns columns;
  BaseParameters base;
};

// "elbow.Izz", "elbow.friction.coulomb": the column's name without the joint's number.
std::string result_name_of(const Regression& regression, int parameter) {
  const int column = regression.base.columns[static_cast<std::size_t>(parameter)];
  std::string symbol = regression.columns.name(column);
  while (!symbol.empty() && symbol.back() >= '0' && symbol.back() <= '9') symbol.pop_back();
  if (symbol == "Fv") symbol = "friction.viscous";
  if (symbol == "Fc") symbol = "friction.coulomb";
  if (symbol == "Fo") symbol = "friction.offset";
  return fmt::format("{}.{}", regression.joint_name(parameter), symbol);
}

void add_parameters(const Regression& regression, const RobotFit& fit, Report& report) {
  for (int k = 0; k < regression.base.count(); ++k) {
    if (!fit.is_determined(k)) continue;
    const int column = regression.base.columns[static_cast<std::size_t>(k)];
    Result result = with_interval(result_name_of(regression, k), fit.base.values[k], fit.deviation(k),
                                  std::string(regression.columns.unit(column)));
    const std::string grouping = grouping_text(regression.columns, regression.base, k);
    if (grouping != regression.columns.name(column)) result.note = grouping;
    report.results.push_back(std::move(result));
  }
  for (const std::string& sentence : undetermined_text(regression.columns, regression.base, fit))
    report.diagnostics.push_back({"parameter.undetermined", Severity::warning, sentence});
}

void add_residuals(const RobotSpec& robot, const Eigen::VectorXd& rms, const char* name, const char* note,
                   Report& report) {
  for (int j = 0; j < robot.count(); ++j)
    report.results.push_back({.name = fmt::format("{}.{}", robot.joints[static_cast<std::size_t>(j)].name, name),
                              .value = rms[j],
                              .unit = joint_unit(robot, j, "N m"),
                              .note = note});
}

RobotRecord part_of(const RobotRecord& record, std::size_t begin, std::size_t end) {
  RobotRecord part{record.source, record.period, record.position, record.velocity, record.torque};
  for (auto* series : {&part.position, &part.velocity, &part.torque}) {
    for (std::vector<double>& each : *series)
      each = {each.begin() + static_cast<std::ptrdiff_t>(begin), each.begin() + static_cast<std::ptrdiff_t>(end)};
  }
  return part;
}

// The last part of the log, which a fit to the rest has not seen.
void add_validation(const Regression& regression, const RobotRecord& record, double held_back, Report& report) {
  if (held_back == 0.0) return;
  const auto cut = static_cast<std::size_t>((1.0 - held_back) * static_cast<double>(record.samples()));
  const RobotFit fit = regression.fit(part_of(record, 0, cut));
  const RobotRecord rest = part_of(record, cut, record.samples());
  const TorquePrediction prediction = predict_torque(regression.rows(rest), fit.base.values);
  add_residuals(regression.robot, residual_rms(prediction), "torque.validation",
                "rms on the part that is held back, of a fit to the rest", report);
}

Section torque_section(const RobotSpec& robot, const TorquePrediction& prediction) {
  Section section{"Torques", "Measured as the fit sees it, by the identified model, and what is left.", {}, {}};
  for (std::size_t j = 0; j < prediction.measured.size(); ++j) {
    std::vector<double> left(prediction.time.size());
    for (std::size_t i = 0; i < left.size(); ++i) left[i] = prediction.measured[j][i] - prediction.predicted[j][i];
    Plot plot{.title = robot.joints[j].name,
              .x_label = "time [s]",
              .y_label = joint_unit(robot, static_cast<int>(j), "N m"),
              .caption = "A residual that follows the motion is a model that lacks something."};
    plot.series = {line("measured", prediction.time, prediction.measured[j]),
                   line("model", prediction.time, prediction.predicted[j]), line("residual", prediction.time, left)};
    section.plots.push_back(std::move(plot));
  }
  return section;
}

void note_inertias(const RobotSpec& robot, Report& report) {
  for (const InertiaFault& fault : inertia_faults(robot))
    report.diagnostics.push_back({"inertia.missing", Severity::info, fmt::format("{} {}.", fault.link, fault.what)});
}

// Beyond this a parameter's error is that of the noise, a hundred times over.
constexpr double kHighestCondition = 1000.0;

void judge_excitation(const RobotFit& fit, Report& report) {
  report.results.push_back({.name = "excitation.condition",
                            .value = fit.condition,
                            .unit = "1",
                            .note = "of the regressor, base columns in SI; tauhat excite finds a motion below 100"});
  if (fit.condition > kHighestCondition)
    report.diagnostics.push_back(
        {"excitation.poor", Severity::warning,
         fmt::format("The motion hardly tells the parameters apart (condition {:.3g}). Record one of tauhat excite.",
                     fit.condition)});
}

}  // namespace

Report answer_robot(const Study& study, const Log& log) {
  const Regression regression(*study.robot);
  Report report;
  report.command = "identify";
  report.title = fmt::format("Robot: {} on {}", study.source, log.source);
  report.diagnostics = log.diagnostics;
  const RobotRecord record = robot_record(*study.robot, log, report.diagnostics);
  const RobotFit fit = regression.fit(record);
  add_parameters(regression, fit, report);
  add_residuals(*study.robot, fit.residual_rms, "torque.residual", "rms of the fit", report);
  add_validation(regression, record, study.robot->held_back, report);
  judge_excitation(fit, report);
  report.sections.push_back(torque_section(*study.robot, predict_torque(regression.rows(record), fit.base.values)));
  report.headline = fmt::format("{} base parameters of {} joints from {:.0f} rows; {} are not determined.",
                                regression.base.count(), study.robot->count(), fit.rows, fit.undetermined().size());
  judge_limits(study, report);
  report.assumptions = study.assumptions;
  return report;
}

Report check_robot(const Study& study, const Log& log) {
  Report report;
  report.command = "check";
  report.title = fmt::format("Robot: {} on {}", study.source, log.source);
  report.diagnostics = log.diagnostics;
  note_inertias(*study.robot, report);
  const RobotRecord record = robot_record(*study.robot, log, report.diagnostics);
  const MotorSides sides = motor_sides(*study.robot, log);
  const std::vector<JointCheck> checks = check_joints(*study.robot, record, sides);
  const std::vector<Diagnostic> found = joint_diagnostics(*study.robot, sides, checks);
  report.diagnostics.insert(report.diagnostics.end(), found.begin(), found.end());
  for (std::size_t j = 0; j < checks.size(); ++j) {
    report.results.push_back(with_interval(fmt::format("{}.torque.delay", study.robot->joints[j].name),
                                           checks[j].own.delay, checks[j].own.delay_std, "s"));
    report.results.back().note = "positive: the torque comes later than the position";
  }
  judge_excitation(Regression(*study.robot).fit(record), report);
  report.assumptions = study.assumptions;
  return report;
}

Report describe_robot(const Study& study) {
  const Regression regression(*study.robot);
  const RobotSpec& robot = *study.robot;
  Report report;
  report.command = "describe";
  report.title = fmt::format("Robot of {}", study.source);
  double mass = 0.0;
  for (int i = 0; i < robot.count(); ++i) mass += robot.robot.link(i).mass;
  report.headline =
      fmt::format("{} joints, {:.4g} kg that move, {} base parameters.", robot.count(), mass, regression.base.count());
  report.results = {{.name = "robot.mass", .value = mass, .unit = "kg"},
                    {.name = "base.rank", .value = static_cast<double>(regression.base.count()), .unit = "1"}};
  Section section{"Robot", report.headline, {}, {}};
  Table joints{"joints", {"name", "type, parent, ratio"}, {}}, frames{"frames", {"name", "fixed to"}, {}},
      groups{"base parameters", {"name", "grouping"}, {}};
  const auto link_name = [&](int link) {
    return link == kBase ? std::string("the base") : robot.joints[static_cast<std::size_t>(link)].link;
  };
  for (int i = 0; i < robot.count(); ++i)
    joints.rows.push_back(
        {robot.joints[static_cast<std::size_t>(i)].name,
         fmt::format("{} on {}, ratio {:g}", robot.robot.joint(i).is_revolute() ? "revolute" : "prismatic",
                     link_name(robot.robot.parent(i)), robot.robot.transmission().ratio()[i])});
  for (const NamedFrame& frame : robot.frames) frames.rows.push_back({frame.name, link_name(frame.link)});
  for (int k = 0; k < regression.base.count(); ++k)
    groups.rows.push_back({result_name_of(regression, k), grouping_text(regression.columns, regression.base, k)});
  section.tables = {std::move(joints), std::move(frames), std::move(groups)};
  report.sections.push_back(std::move(section));
  note_inertias(robot, report);
  return report;
}

}  // namespace tauhat
