#include "tauhat/offline/robot/robot_check_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "tauhat/offline/report/series.hpp"
#include "tauhat/offline/robot/joint_diagnostics.hpp"
#include "tauhat/offline/robot/robot_log.hpp"
#include "tauhat/offline/robot/robot_parameter_report.hpp"
#include "tauhat/offline/robot/robot_report.hpp"
#include "tauhat/offline/robot/unit_check.hpp"

namespace tauhat {
namespace {

// Beyond this a parameter's error is that of the noise, a hundred times over.
constexpr double kHighestCondition = 1000.0;

// The parameters that every law has: what else friction does is small beside them however well the motion tells it.
RobotSpec with_plain_friction(const RobotSpec& robot) {
  RobotSpec plain = robot;
  plain.terms = robot.terms.plain();
  return plain;
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

}  // namespace

RobotRecord checked_part(const RobotRecord& record) {
  constexpr double kEnough = 60.0;  // s: more would take longer than the fit
  const double length = record.period * static_cast<double>(record.samples());
  return part_of(record, 0.0, std::min(1.0, kEnough / length));
}

namespace {

// By log.
std::map<std::string, RobotRecord> checked_of(const std::vector<RobotRecord>& records) {
  std::map<std::string, std::vector<RobotRecord>> of_log;
  for (const RobotRecord& record : records) of_log[record.source].push_back(checked_part(record));
  std::map<std::string, RobotRecord> checked;
  for (const auto& [source, parts] : of_log) checked.emplace(source, longest_of(parts));
  return checked;
}

void say(std::vector<Diagnostic> found, const std::string& source, bool are_several, Report& report) {
  for (Diagnostic& each : found) {
    if (each.severity == Severity::info) continue;  // what a log does not tell is for `check` to say
    if (are_several) each.message = fmt::format("{}: {}", source, each.message);
    report.diagnostics.push_back(std::move(each));
  }
}

}  // namespace

bool judge_units(const Study& study, const MotorSides& sides, const std::vector<RobotRecord>& records, Report& report) {
  bool are_right = true;
  if (study.robot->terms.memory()) return true;
  const auto checked = checked_of(records);
  for (const auto& [source, record] : checked) {
    const std::vector<MistakenUnit> mistaken = check_units(study, record, sides).mistaken;
    say(unit_diagnostics(*study.robot, sides, mistaken), source, checked.size() > 1, report);
    are_right = are_right && mistaken.empty();
  }
  return are_right;
}

void judge_joints(const RobotSpec& robot, const MotorSides& sides, const std::vector<RobotRecord>& records,
                  Report& report) {
  if (!are_checked(robot, report)) return;
  const auto checked = checked_of(records);
  for (const auto& [source, record] : checked) {
    std::vector<JointCheck> checks = check_joints(robot, record, sides);
    for (JointCheck& check : checks) {
      if (check.ratio_by_inertia) check.ratio.reset();
      check.inertias_speak_for_turning = false;
    }
    say(joint_diagnostics(robot, sides, checks), source, checked.size() > 1, report);
  }
}

double condition_of(const RobotSpec& robot, const std::vector<RobotRecord>& records) {
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

Report check_robot(const Study& study, const Log& log) {
  Report report;
  report.command = "check";
  report.title = fmt::format("Robot: {} on {}", study.source, log.source);
  report.diagnostics = log.diagnostics;
  note_inertias(*study.robot, report.diagnostics);
  RobotRecord record = longest_of(robot_records(*study.robot, log, report.diagnostics));
  const MotorSides sides = motor_sides(*study.robot, log);
  if (are_checked(*study.robot, report)) {
    // What else is wrong shows where the units are right.
    UnitCheck units = check_units(study, checked_part(record), sides);
    if (!units.mistaken.empty()) record = std::move(units.record);
    std::vector<Diagnostic> found = unit_diagnostics(*study.robot, sides, units.mistaken);
    const std::vector<JointCheck> checks = check_joints(*study.robot, checked_part(record), sides);
    for (Diagnostic& each : joint_diagnostics(*study.robot, sides, checks)) found.push_back(std::move(each));
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
