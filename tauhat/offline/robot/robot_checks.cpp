#include "tauhat/offline/robot/robot_checks.hpp"

#include <algorithm>
#include <cmath>

#include "tauhat/offline/robot/base_parameters.hpp"
#include "tauhat/offline/robot/friction_shape.hpp"
#include "tauhat/offline/robot/joint_suspicions.hpp"

namespace tauhat {
namespace {

// Signs that were turned to put a joint right.
struct Turned {
  bool torque = false, position = false;
};

// `is_told`: turning both (once more) is decisively worse.
void judge_signs(const Turned& turned, bool is_told, JointCheck& check) {
  if (turned.torque != turned.position)
    check.sign = !is_told ? WrongSign::either : turned.torque ? WrongSign::torque : WrongSign::position;
  else if (turned.torque)
    check.sign = WrongSign::both;
  else
    check.signs_are_open = !is_told;
}

// Says of its joint what was wrong.
void note(const Suspicion& worst, double ratio, JointCheck& check, Turned& turned) {
  switch (worst.fault) {
    case Fault::ratio:
      check.ratio = check.ratio.value_or(ratio) / worst.factor;
      check.ratio_by_inertia = worst.gain_of_record < kDecisive;
      break;
    case Fault::position_scale:
      check.position_factor = check.position_factor.value_or(1.0) * worst.factor;
      break;
    case Fault::torque_scale:
      check.torque_factor = check.torque_factor.value_or(1.0) * worst.factor;
      break;
    case Fault::conversion:
      check.position_factor = check.position_factor.value_or(1.0) * worst.factor;
      check.torque_factor = check.torque_factor.value_or(1.0) / worst.factor;
      break;
    case Fault::torque_sign:
    case Fault::position_sign:
    case Fault::both_signs:
      turned.torque ^= worst.fault != Fault::position_sign;
      turned.position ^= worst.fault != Fault::torque_sign;
  }
}

// The worst is put right first: one wrong joint spoils the fit of the others. Returns what puts all
// right.
Hypothesis find_signs_and_ratios(const HypothesisFit& fit, const RobotSpec& robot, const MotorSides& sides,
                                 std::vector<JointCheck>& checks) {
  Hypothesis now(robot.count());
  std::vector<Turned> turned(checks.size());
  for (std::size_t j = 0; j < checks.size(); ++j) {
    if (!checks[j].own.gives_energy()) continue;
    now = with_sign(now, robot, sides, static_cast<int>(j), WrongSign::torque);
    turned[j].torque = true;
  }
  const Suspicions suspicions(fit, robot, sides);
  const auto given = robot.robot.transmission().ratio();
  for (int round = 0; round < 2 * robot.count(); ++round) {
    const Suspicion worst = suspicions.worst(now);
    if (worst.joint < 0) break;
    const auto at = static_cast<std::size_t>(worst.joint);
    now = worst.put_right;
    note(worst, given[worst.joint], checks[at], turned[at]);
  }
  const auto settled = fit.misfit(now);
  for (int j = 0; j < robot.count(); ++j) {
    JointCheck& check = checks[static_cast<std::size_t>(j)];
    if (const auto factors = suspicions.factors_that_fit(now, settled, j)) {
      const double ratio = check.ratio.value_or(given[j]);
      // What is too much for the position is too little for the ratio.
      if (suspicions.is_of_motor(j))
        check.ratio_range = {ratio / factors->upper, ratio / factors->lower};
      else
        check.conversion_range = {factors->lower, factors->upper};
    }
    const auto turned_over = fit.misfit(with_sign(now, robot, sides, j, WrongSign::both));
    const bool is_told = turned_over.record - settled.record > kDecisive;
    judge_signs(turned[static_cast<std::size_t>(j)], is_told, check);
    check.inertias_speak_for_turning = check.signs_are_open && settled.sum() - turned_over.sum() > kDecisiveByInertia;
  }
  return now;
}

// Of the contacts that bend, zero of others.
std::vector<double> reaches(const std::vector<JointCheck>& checks) {
  std::vector<double> all;
  for (const JointCheck& check : checks) all.push_back(check.own.bends() ? check.own.reach : 0.0);
  return all;
}

// How fast friction falls, and the bodies that are its load, are those of a fit: with a wrong sign they have the right
// size, too. How far contacts bend would be another matter: a torque that comes late passes for it.
RobotSpec with_fitted_friction(RobotSpec robot, const RobotRecord& record) {
  robot.terms = robot.terms.without_history();
  return robot.terms.is_plain() ? robot : fit_friction_shape(robot, {record}).robot;
}

// What each joint's own rows tell.
void check_own(const RobotSpec& robot, const TorqueColumns& columns, const BaseParameters& base,
               const RobotRecord& record, std::vector<JointCheck>& checks) {
  constexpr std::size_t kRows = 3000;
  const CheckedSamples samples = checked_samples(record, robot.rows, kRows);
  const auto rows = [&](int shift) {
    return checked_rows(columns, base, checked_samples(record, robot.rows, kRows, shift),
                        Eigen::MatrixXd::Identity(robot.count(), robot.count()));
  };
  const std::vector<Eigen::MatrixXd> now = rows(0), before = rows(-1), after = rows(1);
  const std::vector<ShapeRange> reaches_told = reach_ranges(robot, {record});
  for (int j = 0; j < robot.count(); ++j) {
    const auto at = static_cast<std::size_t>(j);
    checks[at].own =
        check_own_rows(columns, base, j, {now[at], before[at], after[at]}, samples, record, reaches_told[at]);
  }
}

}  // namespace

std::vector<JointCheck> check_joints(const RobotSpec& robot, const RobotRecord& record, const MotorSides& sides) {
  const RobotSpec fitted = with_fitted_friction(robot, record);
  const TorqueColumns columns(fitted.robot, fitted.terms);
  const BaseParameters base = base_parameters(columns);
  std::vector<JointCheck> checks(static_cast<std::size_t>(fitted.count()));
  check_own(fitted, columns, base, record, checks);
  constexpr std::size_t kRows = 600;  // that are fitted for each hypothesis
  const CheckedSamples samples = checked_samples(record, fitted.rows, kRows);
  const Eigen::MatrixXd measured = joint_torque_by_measured(fitted, sides.torque, "").inverse();
  const HypothesisFit fit(fitted, columns, base, samples, measured, samples.steady(columns, reaches(checks)));
  const Hypothesis right = find_signs_and_ratios(fit, fitted, sides, checks);
  // A wrong position is wrong in the rows of the joints beside it, too.
  if (!right.is_as_recorded()) check_own(fitted, columns, base, multiplied(record, right), checks);
  return checks;
}

}  // namespace tauhat
