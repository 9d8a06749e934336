#include "tauhat/offline/robot/robot_checks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tauhat/offline/report/uncertainty.hpp"
#include "tauhat/offline/robot/base_parameters.hpp"
#include "tauhat/offline/robot/friction_shape.hpp"
#include "tauhat/offline/robot/hypothesis_fit.hpp"
#include "tauhat/offline/robot/line_search.hpp"

namespace tauhat {
namespace {

// A gain of less than this in -2 ln of the likelihood is chance, or a model that is not perfect. Of what is known of
// the inertias less is enough: they are a few numbers, and the record is long.
constexpr double kDecisive = 40.0, kDecisiveByInertia = 20.0;

Hypothesis with_sign(Hypothesis hypothesis, int joint, WrongSign sign) {
  if (sign != WrongSign::torque) hypothesis.position.row(joint) *= -1.0;
  if (sign != WrongSign::position) hypothesis.torque.row(joint) *= -1.0;
  return hypothesis;
}

// A factor on the position of a motor, its inverse on its torque.
Hypothesis with_factor(Hypothesis hypothesis, const RobotSpec& robot, const MotorSides& sides, int joint,
                       double factor) {
  const Eigen::MatrixXd coupling = robot.robot.transmission().coupling();
  Eigen::VectorXd at_motor = Eigen::VectorXd::Ones(robot.count());
  const auto j = static_cast<std::size_t>(joint);
  if (sides.position[j]) {
    at_motor[joint] = factor;
    hypothesis.position = coupling.inverse() * at_motor.asDiagonal() * coupling * hypothesis.position;
  }
  if (sides.torque[j]) {
    at_motor[joint] = 1.0 / factor;
    hypothesis.torque =
        coupling.transpose() * at_motor.asDiagonal() * coupling.transpose().inverse() * hypothesis.torque;
  }
  return hypothesis;
}

// What may be wrong with a joint beside one sign: both signs, the ratio of its motor, or the scale of what was recorded
// at the joint itself.
enum class Fault { both_signs, ratio, position_scale, torque_scale };

// One of them, and what the fit gains when it is put right.
struct Suspicion {
  int joint = -1;
  Fault fault = Fault::both_signs;
  Hypothesis put_right;
  double factor = 1.0;
  double gain = 0.0, gain_of_record = 0.0;

  bool is_decisive() const noexcept {
    return gain_of_record > kDecisive || (fault == Fault::ratio && gain > kDecisiveByInertia);
  }
};

class Suspicions {
 public:
  Suspicions(const HypothesisFit& fit, const RobotSpec& robot, const MotorSides& sides)
      : fit_(fit), robot_(robot), sides_(sides) {}

  // The one that gains most; one without a joint where nothing does.
  Suspicion worst(const Hypothesis& now) const {
    const auto regressors = fit_.regressors(now.position);
    const auto before = fit_.misfit(regressors, now.torque);
    Suspicion worst{-1, Fault::both_signs, now};
    const auto consider = [&](int joint, Fault fault, const Hypothesis& put_right, double factor) {
      const auto after = fit_.misfit(put_right);
      const Suspicion each{joint, fault, put_right, factor, before.sum() - after.sum(), before.record - after.record};
      if (each.is_decisive() && each.gain > worst.gain) worst = each;
    };
    for (int j = 0; j < robot_.count(); ++j) {
      consider(j, Fault::both_signs, with_sign(now, j, WrongSign::both), 1.0);
      for (const Fault fault : scales_of(j)) {
        const double factor = best_factor(now, regressors, j, fault);
        // Gears come in steps of 5 %; what a drive has converted is wrong by a whole gear, or a unit.
        const double least = fault == Fault::ratio ? 0.05 : 0.2;
        if (std::abs(std::log(factor)) > least) consider(j, fault, with_scale(now, j, fault, factor), factor);
      }
    }
    return worst;
  }

 private:
  std::vector<Fault> scales_of(int joint) const {
    const auto j = static_cast<std::size_t>(joint);
    if (sides_.position[j] || sides_.torque[j]) return {Fault::ratio};
    return {Fault::position_scale, Fault::torque_scale};
  }
  Hypothesis with_scale(Hypothesis now, int joint, Fault fault, double factor) const {
    if (fault == Fault::ratio) return with_factor(now, robot_, sides_, joint, factor);
    (fault == Fault::position_scale ? now.position : now.torque).row(joint) *= factor;
    return now;
  }
  // `regressors` are those of the positions as they are.
  double best_factor(const Hypothesis& now, const HypothesisFit::Regressors& regressors, int joint, Fault fault) const {
    constexpr double kWidest = 1.4, kStep = 0.2;  // of the factor's logarithm
    const auto misfit_at = [&](double logarithm) {
      const Hypothesis scaled = with_scale(now, joint, fault, std::exp(logarithm));
      const auto misfit = fault == Fault::torque_scale ? fit_.misfit(regressors, scaled.torque) : fit_.misfit(scaled);
      return misfit.sum();
    };
    const double near = best_of(-kWidest, kWidest, static_cast<int>(2.0 * kWidest / kStep), misfit_at);
    return std::exp(minimum_between(near - kStep, near + kStep, 5e-3, misfit_at));
  }

  const HypothesisFit& fit_;
  const RobotSpec& robot_;
  const MotorSides& sides_;
};

// The worst is put right first: one wrong joint spoils the fit of the others.
void find_signs_and_ratios(const HypothesisFit& fit, const RobotSpec& robot, const MotorSides& sides,
                           std::vector<JointCheck>& checks) {
  Hypothesis now(robot.count());
  for (int j = 0; j < robot.count(); ++j) {
    if (checks[static_cast<std::size_t>(j)].own.gives_energy()) now = with_sign(now, j, WrongSign::torque);
  }
  const Suspicions suspicions(fit, robot, sides);
  std::vector<bool> turned(checks.size(), false);
  for (int round = 0; round < 2 * robot.count(); ++round) {
    const Suspicion worst = suspicions.worst(now);
    if (worst.joint < 0) break;
    const auto at = static_cast<std::size_t>(worst.joint);
    now = worst.put_right;
    switch (worst.fault) {
      case Fault::ratio:
        checks[at].ratio = checks[at].ratio.value_or(robot.robot.transmission().ratio()[worst.joint]) / worst.factor;
        checks[at].ratio_by_inertia = worst.gain_of_record < kDecisive;
        break;
      case Fault::position_scale:
        checks[at].position_factor = checks[at].position_factor.value_or(1.0) * worst.factor;
        break;
      case Fault::torque_scale:
        checks[at].torque_factor = checks[at].torque_factor.value_or(1.0) * worst.factor;
        break;
      case Fault::both_signs:
        turned[at] = !turned[at];
    }
  }
  const double settled = fit.misfit(now).record;
  for (int j = 0; j < robot.count(); ++j) {
    JointCheck& check = checks[static_cast<std::size_t>(j)];
    const bool both = turned[static_cast<std::size_t>(j)];
    if (!check.own.gives_energy()) {
      if (both) check.sign = WrongSign::both;
      continue;
    }
    // From a wrong torque to a wrong position both signs change.
    const bool is_told = fit.misfit(with_sign(now, j, WrongSign::both)).record - settled > kDecisive;
    check.sign = !is_told ? WrongSign::either : both ? WrongSign::position : WrongSign::torque;
  }
}

// How fast friction falls, and the bodies that are its load, are those of a fit: with a wrong sign they have the right
// size, too. How far contacts bend would be another matter: a torque that comes late passes for it.
RobotSpec with_fitted_friction(RobotSpec robot, const RobotRecord& record) {
  robot.terms = robot.terms.without_history();
  return robot.terms.is_plain() ? robot : fit_friction_shape(robot, {record}).robot;
}

}  // namespace

std::vector<JointCheck> check_joints(const RobotSpec& robot, const RobotRecord& record, const MotorSides& sides) {
  const RobotSpec fitted = with_fitted_friction(robot, record);
  const TorqueColumns columns(fitted.robot, fitted.terms);
  const BaseParameters base = base_parameters(columns);
  constexpr std::size_t kRowsOnce = 3000, kRowsOften = 600;  // that are fitted once, or for each hypothesis
  const auto rows = [&](int shift) {
    return checked_rows(columns, base, checked_samples(record, fitted.rows, kRowsOnce, shift),
                        Eigen::MatrixXd::Identity(fitted.count(), fitted.count()));
  };
  const CheckedSamples samples = checked_samples(record, fitted.rows, kRowsOnce);
  const std::vector<Eigen::MatrixXd> now = rows(0), before = rows(-1), after = rows(1);
  std::vector<JointCheck> checks(static_cast<std::size_t>(fitted.count()));
  for (int j = 0; j < fitted.count(); ++j) {
    const auto at = static_cast<std::size_t>(j);
    checks[at].own = check_own_rows(columns, base, j, {now[at], before[at], after[at]}, samples, record);
  }
  const CheckedSamples fewer = checked_samples(record, fitted.rows, kRowsOften);
  const HypothesisFit fit(fitted, columns, base, fewer);
  find_signs_and_ratios(fit, fitted, sides, checks);
  return checks;
}

namespace {

// A joint with the names of its channels, and what was found of it.
struct NamedCheck {
  const JointCheck& check;
  std::string joint, torque, position;

  Diagnostic say(const char* what, Severity severity, std::string sentence) const {
    return {fmt::format("{}.{}", joint, what), severity, std::move(sentence)};
  }
};

Diagnostic clock_diagnostic(const NamedCheck& named) {
  const auto& own = named.check.own;
  const std::string how_much =
      fmt::format("{} comes {:.2f} ± {:.2f} ms {} {}", named.torque, 1e3 * std::abs(own.delay),
                  1e3 * k95 * own.delay_std, own.delay > 0.0 ? "after" : "before", named.position);
  // Friction with a memory follows the motion late, too; a clock explains nearly all.
  constexpr double kNearlyAll = 0.6;
  if (own.explained > kNearlyAll)
    return named.say("clock", Severity::error,
                     fmt::format("{}: give it delay = \"{:.3g} ms\" in [log.channels].", how_much, 1e3 * own.delay));
  return named.say("clock", Severity::warning,
                   how_much +
                       ", which explains little of what the model leaves: its clock, or friction that follows "
                       "the motion late.");
}

Diagnostic sign_diagnostic(const NamedCheck& named, WrongSign sign) {
  const std::string wrong = sign == WrongSign::torque     ? named.torque
                            : sign == WrongSign::position ? named.position
                            : sign == WrongSign::either   ? fmt::format("{} or {}", named.torque, named.position)
                                                          : fmt::format("{} and {}", named.torque, named.position);
  return named.say("sign", Severity::error,
                   fmt::format("{}: {} the wrong sign{}. Give gain = -1 in [log.channels].", named.joint,
                               wrong + (sign == WrongSign::both ? " have" : " has"),
                               sign == WrongSign::both ? "" : ": its friction would give energy"));
}

Diagnostic ratio_diagnostic(const NamedCheck& named, double given) {
  return named.say("ratio", Severity::error,
                   fmt::format("{}: the gear ratio {:.6g} does not fit {}; {:.4g} would.", named.joint, given,
                               named.check.ratio_by_inertia ? "the inertias of the study, unless those are wrong"
                                                            : "the torques of the motion",
                               *named.check.ratio));
}

Diagnostic factor_diagnostic(const NamedCheck& named, const std::string& channel, double factor) {
  return named.say("ratio", Severity::error,
                   fmt::format("{}: {} does not fit the torques of the motion; {:.3g} times as large it would. Correct "
                               "the gear ratio, the torque constant or the unit that it was recorded by, or its gain "
                               "in [log.channels].",
                               named.joint, channel, factor));
}

}  // namespace

std::vector<Diagnostic> joint_diagnostics(const RobotSpec& robot, const MotorSides& sides,
                                          const std::vector<JointCheck>& checks) {
  std::vector<Diagnostic> found;
  for (std::size_t j = 0; j < checks.size(); ++j) {
    const JointCheck& check = checks[j];
    const std::string& name = robot.joints[j].name;
    const NamedCheck named{check, name, fmt::format("{}{}.torque", name, sides.torque[j] ? ".motor" : ""),
                           fmt::format("{}{}.position", name, sides.position[j] ? ".motor" : "")};
    if (check.own.is_delayed) found.push_back(clock_diagnostic(named));
    if (check.sign) found.push_back(sign_diagnostic(named, *check.sign));
    if (check.ratio) found.push_back(ratio_diagnostic(named, robot.robot.transmission().ratio()[static_cast<int>(j)]));
    if (check.position_factor) found.push_back(factor_diagnostic(named, named.position, *check.position_factor));
    if (check.torque_factor) found.push_back(factor_diagnostic(named, named.torque, *check.torque_factor));
  }
  return found;
}

}  // namespace tauhat
