#include "tauhat/offline/robot/robot_report.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "tauhat/offline/error.hpp"
#include "tauhat/offline/identify/backlash_report.hpp"
#include "tauhat/offline/robot/force_floor.hpp"
#include "tauhat/offline/robot/friction_shape.hpp"
#include "tauhat/offline/robot/payload_report.hpp"
#include "tauhat/offline/robot/robot_check_report.hpp"
#include "tauhat/offline/robot/robot_identification.hpp"
#include "tauhat/offline/robot/robot_log.hpp"
#include "tauhat/offline/robot/robot_parameter_report.hpp"
#include "tauhat/offline/robot/robot_plots.hpp"
#include "tauhat/offline/robot/robot_suspects.hpp"
#include "tauhat/offline/robot/robot_validation.hpp"

namespace tauhat {
namespace {

using Records = std::vector<RobotRecord>;

// Bodies that can exist, and how well they explain the torques; empty where none were found.
std::optional<RobotSpec> add_bodies(const RobotIdentification& identification, const RobotFit& fit,
                                    const RobotPrior& prior, Report& report) {
  const ConsistentFit bodies = identification.consistent(fit, prior);
  if (!bodies.converged) {
    report.diagnostics.push_back(
        {"consistent.not_found", Severity::error,
         fmt::format("No bodies that can exist were found after {} steps: torques or signs are "
                     "wrong; ask tauhat check.",
                     bodies.iterations)});
    return std::nullopt;
  }
  const double ratio = torque_left(fit, bodies.base);
  report.results.push_back({.name = "consistent.torque_ratio",
                            .value = ratio,
                            .unit = "1",
                            .note = "torque that bodies that can exist leave, over that of the free fit"});
  constexpr double kMuchMore = 1.2;
  if (ratio > kMuchMore)
    report.diagnostics.push_back(
        {"consistent.misfit", Severity::warning,
         fmt::format(
             "Bodies that can exist leave {:.3g} times the torque that the free fit leaves: the geometry is wrong, "
             "the model lacks something, or a sign or ratio is wrong.",
             ratio)});
  for (const std::string& link : prior.guessed_links)
    report.diagnostics.push_back(
        {"inertia.guessed", Severity::info,
         fmt::format("{} has no inertia that can be: a body of some kg was assumed before the fit, and what the motion "
                     "does not tell of it is that guess.",
                     link)});
  report.sections.push_back(body_section(identification, prior, bodies));
  RobotSpec identified = identification.with_parameters(bodies.parameters);
  for (int j = 0; j < identified.count(); ++j)
    identified.joints[static_cast<std::size_t>(j)].residual = fit.residual_rms[j];
  return identified;
}

// Nothing touches an arm that is identified: its own log says what an estimator of forces, which answers to more than
// the torques below cut_off, would not explain. The study that is written has it.
void add_unexplained(const Study& study, const RobotRecord& record, RobotSpec& identified, Report& report) {
  Study found = study;
  found.robot = identified;
  try {
    const JointValues left = unexplained_torques(record, found);
    for (int j = 0; j < identified.count(); ++j) {
      double& residual = identified.joints[static_cast<std::size_t>(j)].residual;
      residual = std::max(residual, left[j]);
    }
    const std::string note = fmt::format(
        "rms beyond noise that a momentum observer of {:g}/s shows of this log: what "
        "--study has as residual where it is the larger",
        study.robot->force.gain);
    add_residuals(identified, left, "torque.unexplained", note.c_str(), report);
  } catch (const Error& problem) {
    // Of the parameters, which this is about, it says nothing.
    report.diagnostics.push_back({"residual.unknown", Severity::info,
                                  fmt::format("What an estimator of forces would not explain of this log could not be "
                                              "found ({}): the residuals are those of the fit.",
                                              problem.what())});
  }
}

// A log is let go when its record is made: both are large.
Records records_of(const RobotSpec& robot, std::vector<Log>& logs, Report& report) {
  Records records;
  for (Log& log : logs) {
    report.title += (records.empty() ? "" : ", ") + log.source;
    report.diagnostics.insert(report.diagnostics.end(), log.diagnostics.begin(), log.diagnostics.end());
    for (RobotRecord& record : robot_records(robot, log, report.diagnostics)) records.push_back(std::move(record));
    log = Log{};
  }
  return records;
}

UncertainGains gains_of(const Study& study, const MotorSides& sides) {
  const RobotSpec& robot = *study.robot;
  UncertainGains gains{joint_torque_by_measured(robot, sides.torque, study.source),
                       Eigen::VectorXd::Zero(robot.count())};
  for (int j = 0; j < robot.count(); ++j) {
    const auto at = static_cast<std::size_t>(j);
    const StudyChannel* channel =
        study.find_channel(fmt::format("{}{}.torque", robot.joints[at].name, sides.torque[at] ? ".motor" : ""));
    if (channel) gains.std[j] = channel->gain_std;
  }
  return gains;
}

}  // namespace

RobotAnswer answer_robot(const Study& study, RobotLogs logs) {
  RobotAnswer answer;
  Report& report = answer.report;
  report.command = "identify";
  report.title = fmt::format("Robot: {} on ", study.source);
  const MotorSides sides = motor_sides(*study.robot, logs.motion.front());
  const Records records = records_of(*study.robot, logs.motion, report);
  const ShapedFriction friction = fit_friction_shape(*study.robot, records);
  const RobotSpec robot = friction.model();
  const RobotIdentification identification(robot);
  std::optional<RobotRecord> unseen;
  if (logs.validation) unseen = longest_of(robot_records(robot, *logs.validation, report.diagnostics));
  logs.validation.reset();

  std::vector<RowSample> samples;
  const RobotFit fit = identification.fit(records, kSuspectRows, samples);
  report.assumptions = study.assumptions;
  if (!judge_units(study, sides, records, report) || !judge_determined(identification, fit, report)) {
    report.headline = "This log does not give an answer that can be trusted. The diagnostics say why.";
    return answer;
  }
  judge_joints(*study.robot, sides, records, report);
  const RobotPrior prior = robot_prior(robot, identification.columns(), identification.base(), fit.values);
  const EssentialFit essential = essential_parameters(fit);
  const UncertainGains gains = gains_of(study, sides);
  const Eigen::MatrixXd empty_by_gains = shifts_by_gains(identification, records, samples, gains);
  if (!friction.falls.empty() || !friction.bends.empty()) {
    // That decays and reaches are uncertain, too, widens the intervals of the others.
    const RobotIdentification linearised(friction.robot);
    const RobotFit with_shapes = linearised.fit(records, kSuspectRows, samples);
    add_parameters(linearised, with_shapes, records, samples, gains, report);
    add_shapes(robot, friction, report);
  } else {
    add_parameters(identification, fit, records, samples, gains, report);
  }
  add_residuals(robot, fit.residual_rms, "torque.residual", "rms of the fit", report);
  report.sections.push_back(parameter_section(identification, report.results, prior, essential));
  report.sections.push_back(torque_section(robot, predict_torque(identification.rows(longest_of(records)), fit.values),
                                           "Torques", "Measured as the fit sees it, and by the identified model."));
  validate(*study.robot, identification, fit, records, unseen, report);
  judge_excitation(robot.terms.is_plain() ? fit.condition : condition_of(robot, records), report);
  report.results.push_back({.name = "essential.parameters",
                            .value = static_cast<double>(essential.parameters.size()),
                            .unit = "1",
                            .note = "that the torques need, by backward elimination"});
  answer.identified = add_bodies(identification, fit, prior, report);
  if (answer.identified) add_unexplained(study, checked_part(longest_of(records)), *answer.identified, report);
  if (logs.with_payload) {
    const Records loaded = robot_records(robot, *logs.with_payload, report.diagnostics);
    const RobotFit with_payload = identification.fit(loaded, kSuspectRows, samples);
    const Eigen::MatrixXd loaded_by_gains = shifts_by_gains(identification, loaded, samples, gains);
    add_payload(identification, fit, with_payload, loaded_by_gains - empty_by_gains, report);
  }
  report.headline = fmt::format("{} base parameters of {} joints from {:.0f} rows; {} are not determined.",
                                identification.base().count(), robot.count(), fit.rows, fit.undetermined().size());
  judge_limits(study, report);
  return answer;
}

}  // namespace tauhat
