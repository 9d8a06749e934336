#include "tauhat/offline/robot/robot_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "tauhat/offline/error.hpp"
#include "tauhat/offline/identify/backlash_report.hpp"
#include "tauhat/offline/report/partners.hpp"
#include "tauhat/offline/report/series.hpp"
#include "tauhat/offline/report/suspect.hpp"
#include "tauhat/offline/report/verdict.hpp"
#include "tauhat/offline/robot/column_noise.hpp"
#include "tauhat/offline/robot/force_floor.hpp"
#include "tauhat/offline/robot/friction_shape.hpp"
#include "tauhat/offline/robot/payload_report.hpp"
#include "tauhat/offline/robot/robot_checks.hpp"
#include "tauhat/offline/robot/robot_identification.hpp"
#include "tauhat/offline/robot/robot_log.hpp"
#include "tauhat/offline/robot/robot_plots.hpp"
#include "tauhat/offline/robot/robot_suspects.hpp"

namespace tauhat {
namespace {

using Records = std::vector<RobotRecord>;

std::string why_it_does_not_fall(FoundShape::Verdict verdict) {
  using Verdict = FoundShape::Verdict;
  switch (verdict) {
    case Verdict::at_lower_edge:
      return "falls so slowly that its fall is not told from viscous friction. Record a faster motion";
    case Verdict::at_upper_edge:
      return "falls within the speeds at which it changes its sign. Make robot.friction.width smaller, and record slow "
             "passages";
    case Verdict::not_settled:
      return "falls, but how fast was not found. Give friction.decay of the joint, or record a motion with more slow "
             "passages";
    case Verdict::none:
    case Verdict::found:
      break;
  }
  return "does not fall with speed as far as this motion tells. Record slow passages if it should";
}

std::string why_it_does_not_bend(FoundShape::Verdict verdict) {
  using Verdict = FoundShape::Verdict;
  switch (verdict) {
    case Verdict::at_lower_edge:
      return "changes its sign where the joint turns, without a way to go. Raise cut_off in [identify], and record "
             "more "
             "reversals";
    case Verdict::at_upper_edge:
      return "bends as far as the joint goes, which is not told from its weight. Record a longer motion";
    case Verdict::not_settled:
      return "bends before it slides, but how far was not found. Give friction.reach of the joint, or record more "
             "reversals";
    case Verdict::none:
    case Verdict::found:
      break;
  }
  return "is too small to tell how far it bends";
}

void add_shapes(const RobotSpec& robot, const ShapedFriction& friction, Report& report) {
  const auto add = [&](const std::vector<FoundShape>& shapes, const char* result, std::string_view rotary,
                       std::string_view sliding, Diagnostic otherwise, auto&& why) {
    for (std::size_t j = 0; j < shapes.size(); ++j) {
      const std::string& name = robot.joints[j].name;
      const bool turns = robot.robot.joint(static_cast<int>(j)).is_revolute();
      if (shapes[j].verdict == FoundShape::Verdict::found) {
        report.results.push_back(with_interval(fmt::format("{}.friction.{}", name, result), shapes[j].value,
                                               shapes[j].std, std::string(turns ? rotary : sliding)));
      } else {
        otherwise.message =
            fmt::format("The friction of {} {}. It is taken as friction without that.", name, why(shapes[j].verdict));
        report.diagnostics.push_back(otherwise);
      }
    }
  };
  add(friction.falls, "decay", "s/rad", "s/m", {"friction.no_excess", Severity::info, {}}, why_it_does_not_fall);
  add(friction.bends, "reach", "rad", "m", {"friction.no_memory", Severity::info, {}}, why_it_does_not_bend);
}

// Each parameter that the motion does not tell, with its joint; and whether it tells any.
bool judge_determined(const RobotIdentification& identification, const RobotFit& fit, Report& report) {
  std::vector<std::string> names;
  for (const RobotJoint& joint : identification.robot().joints) names.push_back(joint.name);
  const auto sentences = undetermined_text(identification.columns(), identification.base(), fit, names);
  if (sentences.size() < static_cast<std::size_t>(identification.base().count())) {
    for (const std::string& sentence : sentences)
      report.diagnostics.push_back({"parameter.undetermined", Severity::warning, sentence});
    return true;
  }
  report.diagnostics.push_back({"excitation.none", Severity::error,
                                "The motion tells no parameter of any joint. Record one of tauhat excite, and check "
                                "that the columns of the positions are those that move."});
  return false;
}

void judge_suspects(const std::vector<RobotSuspect>& suspects, Report& report) {
  if (suspects.empty() || std::abs(suspects.front().z) <= kSuspicious) return;
  report.diagnostics.push_back(
      {"model.suspect", Severity::warning,
       fmt::format("Noise does not explain what the model leaves, and something else would: {}, in standard deviations "
                   "of noise. The intervals are wider by as much as it would move the parameters. Correct it in the "
                   "study, or let friction have the law that shows it.",
                   fmt::join(suspects_in_words(suspects), ", or "))});
}

// Noise of the motion that moves a parameter by more than the noise of the torques does, from the worst on.
void judge_column_noise(const RobotIdentification& identification, const RobotFit& fit, const Eigen::VectorXd& shift,
                        Report& report) {
  int worst = -1;
  double most = 1.0;  // times the deviation by noise
  for (int k = 0; k < identification.base().count(); ++k)
    if (fit.is_determined(k) && shift[k] > most * fit.deviation(k)) worst = k, most = shift[k] / fit.deviation(k);
  if (worst < 0) return;
  report.diagnostics.push_back(
      {"noise.motion", Severity::warning,
       fmt::format("Noise of the positions is in the accelerations, and moves the parameters: {} by {:.2g} times what "
                   "the noise of the torques does, others by less. The intervals are wider by as much. Give a lower "
                   "cut_off in [identify] than {:g} Hz.",
                   identification.result_name(worst), most, identification.robot().rows.cut_off)});
}

// With what else could explain the torques.
void add_parameters(const RobotIdentification& identification, const RobotFit& fit, const Records& records,
                    const std::vector<RowSample>& samples, Report& report) {
  const TorqueColumns& columns = identification.columns();
  const BaseParameters& base = identification.base();
  const std::vector<RobotSuspect> suspects = find_robot_suspects(identification, records, samples);
  const Eigen::VectorXd shift = shift_by_suspects(suspects, base.count());
  const Eigen::VectorXd by_noise = shift_by_column_noise(identification, fit, records);
  judge_suspects(suspects, report);
  judge_column_noise(identification, fit, by_noise, report);
  for (int k = 0; k < base.count(); ++k) {
    const int column = base.columns[static_cast<std::size_t>(k)];
    if (!fit.is_determined(k) || columns.is_change(column)) continue;  // which has a result of its own
    UncertaintyBudget budget;
    budget.noise = fit.deviation(k), budget.model = std::hypot(shift[k], by_noise[k]);
    Result result = with_interval(identification.result_name(k), fit.base.values[k], budget.total(),
                                  std::string(identification.unit(k)));
    result.budget = budget;
    const std::string grouping = grouping_text(columns, base, k);
    if (grouping != columns.name(column)) result.note = grouping;
    report.results.push_back(std::move(result));
  }
  std::vector<std::string> names;
  for (int k = 0; k < base.count(); ++k) names.push_back(identification.result_name(k));
  name_partners(names, fit.base.covariance, report.results);
}

void add_residuals(const RobotSpec& robot, const Eigen::VectorXd& rms, const char* name, const char* note,
                   Report& report) {
  for (int j = 0; j < robot.count(); ++j)
    report.results.push_back({.name = fmt::format("{}.{}", robot.joints[static_cast<std::size_t>(j)].name, name),
                              .value = rms[j],
                              .unit = joint_unit(robot, j, "N m"),
                              .note = note});
}

RobotRecord part_of(const RobotRecord& record, double begin, double end) {
  const auto at = [&](double share) {
    return static_cast<std::ptrdiff_t>(share * static_cast<double>(record.samples()));
  };
  const auto cut = [&](const std::vector<std::vector<double>>& series) {
    std::vector<std::vector<double>> all;
    for (const std::vector<double>& each : series) all.emplace_back(each.begin() + at(begin), each.begin() + at(end));
    return all;
  };
  return {record.source, record.period, cut(record.position), cut(record.velocity), cut(record.torque)};
}

// Of all torques together, in %.
double relative_error(const TorquePrediction& prediction) {
  double left = 0.0, all = 0.0;
  for (std::size_t j = 0; j < prediction.measured.size(); ++j) {
    for (std::size_t k = 0; k < prediction.time.size(); ++k) {
      left += std::pow(prediction.measured[j][k] - prediction.predicted[j][k], 2);
      all += std::pow(prediction.measured[j][k], 2);
    }
  }
  return 100.0 * std::sqrt(left / all);
}

// A model that leaves much more of another motion than of its own has learned the motion, not the robot. Noise and what
// every model lacks make it up to twice as much.
void judge_validation(const RobotSpec& robot, const Eigen::VectorXd& unseen, const Eigen::VectorXd& seen,
                      Report& report) {
  constexpr double kMuchMore = 3.0;
  std::vector<std::string> worse;
  for (int j = 0; j < robot.count(); ++j)
    if (unseen[j] > kMuchMore * seen[j])
      worse.push_back(fmt::format("{} ({:.3g} {} instead of {:.3g})", robot.joints[static_cast<std::size_t>(j)].name,
                                  unseen[j], joint_unit(robot, j, "N m"), seen[j]));
  if (!worse.empty())
    report.diagnostics.push_back(
        {"validation.misfit", Severity::warning,
         fmt::format(
             "Of torques that the fit has not seen the model leaves several times as much as of its own: {}. It "
             "has learned the motion, not the robot: ask tauhat check for signs, ratios and clocks of both "
             "logs, and see that both begin from the same zero positions.",
             fmt::join(worse, ", "))});
}

void add_validation(const RobotIdentification& identification, const RobotFit& fit, const RobotRecord& unseen,
                    const char* what, Report& report) {
  const TorquePrediction prediction = predict_torque(identification.rows(unseen), fit.values);
  const Eigen::VectorXd left = residual_rms(prediction);
  add_residuals(identification.robot(), left, "torque.validation", what, report);
  judge_validation(identification.robot(), left, fit.residual_rms, report);
  report.results.push_back({.name = "validation.error",
                            .value = relative_error(prediction),
                            .unit = "%",
                            .note = "residual over torque, of all joints together"});
  report.sections.push_back(
      torque_section(identification.robot(), prediction, "Validation", "Torques that the fit has not seen."));
}

// By another log; else by the last part of the longest, with a fit to the rest of all, which begins with the study as
// if the last part had never been seen.
void validate(const RobotSpec& study, const RobotIdentification& identification, const RobotFit& fit,
              const Records& records, const std::optional<RobotRecord>& other, Report& report) {
  if (other) return add_validation(identification, fit, *other, "rms on the other motion", report);
  const double held_back = study.held_back;
  if (held_back == 0.0) return;
  Records rest;
  for (const RobotRecord& record : records) rest.push_back(part_of(record, 0.0, 1.0 - held_back));
  const RobotSpec robot = fit_friction_shape(study, rest).model();
  const RobotIdentification of_rest(robot);
  add_validation(of_rest, of_rest.fit(rest), part_of(longest_of(records), 1.0 - held_back, 1.0),
                 "rms on the part that is held back, of a fit to the rest", report);
}

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

// Beyond this a parameter's error is that of the noise, a hundred times over.
constexpr double kHighestCondition = 1000.0;

// The parameters that every law has: what else friction does is small beside them however well the motion tells it.
RobotSpec with_plain_friction(const RobotSpec& robot) {
  RobotSpec plain = robot;
  plain.terms = robot.terms.plain();
  return plain;
}
double condition_of(const RobotSpec& robot, const Records& records) {
  const RobotSpec plain = with_plain_friction(robot);
  return RobotIdentification(plain).fit(records).condition;
}

void judge_excitation(double condition, Report& report) {
  report.results.push_back({.name = "excitation.condition",
                            .value = condition,
                            .unit = "1",
                            .note = "of the regressor, base columns in SI; tauhat excite finds a motion below 100"});
  if (condition > kHighestCondition)
    report.diagnostics.push_back(
        {"excitation.poor", Severity::warning,
         fmt::format("The motion hardly tells the parameters apart (condition {:.3g}). Record one of tauhat excite.",
                     condition)});
}

// The checks look at each instant by itself: to them a contact that bends is a torque that comes late. Where such
// friction is asked for they have nothing to say, and that is said.
bool are_checked(const RobotSpec& robot, Report& report) {
  if (!robot.terms.memory()) return true;
  report.diagnostics.push_back(
      {"joints.unchecked", Severity::info,
       fmt::format("Signs, gear ratios and clocks of the joints were not checked: with friction.law = \"{}\" a contact "
                   "that bends looks like a torque that comes late. tauhat check with friction.law = \"coulomb-tanh\" "
                   "looks for them.",
                   kSlidingLaws[static_cast<std::size_t>(robot.terms.law)])});
  return false;
}

RobotRecord checked_part(const RobotRecord& record) {
  constexpr double kEnough = 60.0;  // s: more would take longer than the fit
  const double length = record.period * static_cast<double>(record.samples());
  return part_of(record, 0.0, std::min(1.0, kEnough / length));
}

// Signs, ratios and clocks as `check` finds them, of the longest record of each log: a fit to a wrong one is the good
// fit of another robot. What only the study's inertias speak for is no finding: they are what is asked for.
void judge_joints(const RobotSpec& robot, const MotorSides& sides, const Records& records, Report& report) {
  if (!are_checked(robot, report)) return;
  std::map<std::string, Records> of_log;
  for (const RobotRecord& record : records) of_log[record.source].push_back(checked_part(record));
  for (const auto& [source, parts] : of_log) {
    std::vector<JointCheck> checks = check_joints(robot, longest_of(parts), sides);
    for (JointCheck& check : checks)
      if (check.ratio_by_inertia) check.ratio.reset();
    for (Diagnostic& found : joint_diagnostics(robot, sides, checks)) {
      if (of_log.size() > 1) found.message = fmt::format("{}: {}", source, found.message);
      report.diagnostics.push_back(std::move(found));
    }
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
  if (!judge_determined(identification, fit, report)) {
    report.headline = "This log does not give an answer that can be trusted. The diagnostics say why.";
    return answer;
  }
  judge_joints(*study.robot, sides, records, report);
  const RobotPrior prior = robot_prior(robot, identification.columns(), identification.base(), fit.values);
  const EssentialFit essential = essential_parameters(fit);
  if (!friction.falls.empty() || !friction.bends.empty()) {
    // That decays and reaches are uncertain, too, widens the intervals of the others.
    const RobotIdentification linearised(friction.robot);
    const RobotFit with_shapes = linearised.fit(records, kSuspectRows, samples);
    add_parameters(linearised, with_shapes, records, samples, report);
    add_shapes(robot, friction, report);
  } else {
    add_parameters(identification, fit, records, samples, report);
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
    add_payload(identification, fit, identification.fit(loaded), report);
  }
  report.headline = fmt::format("{} base parameters of {} joints from {:.0f} rows; {} are not determined.",
                                identification.base().count(), robot.count(), fit.rows, fit.undetermined().size());
  judge_limits(study, report);
  return answer;
}

Report check_robot(const Study& study, const Log& log) {
  Report report;
  report.command = "check";
  report.title = fmt::format("Robot: {} on {}", study.source, log.source);
  report.diagnostics = log.diagnostics;
  note_inertias(*study.robot, report.diagnostics);
  const RobotRecord record = longest_of(robot_records(*study.robot, log, report.diagnostics));
  const MotorSides sides = motor_sides(*study.robot, log);
  if (are_checked(*study.robot, report)) {
    const std::vector<JointCheck> checks = check_joints(*study.robot, checked_part(record), sides);
    const std::vector<Diagnostic> found = joint_diagnostics(*study.robot, sides, checks);
    report.diagnostics.insert(report.diagnostics.end(), found.begin(), found.end());
    for (std::size_t j = 0; j < checks.size(); ++j) {
      report.results.push_back(with_interval(fmt::format("{}.torque.delay", study.robot->joints[j].name),
                                             checks[j].own.delay, checks[j].own.delay_std, "s"));
      report.results.back().note = "positive: the torque comes later than the position";
    }
  }
  const RobotSpec plain = with_plain_friction(*study.robot);
  const RobotIdentification identification(plain);
  const RobotFit fit = identification.fit({record});
  if (judge_determined(identification, fit, report)) judge_excitation(fit.condition, report);
  report.assumptions = study.assumptions;
  return report;
}

}  // namespace tauhat
