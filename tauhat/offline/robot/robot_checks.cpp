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

// The record's position and torque of a joint multiplied, each at the side where it was measured. At a motor that is
//   q_m = C q,  tau = C^T tau_m,  in the units of the gears' output
Hypothesis scaled(Hypothesis hypothesis, const RobotSpec& robot, const MotorSides& sides, int joint, double of_position,
                  double of_torque) {
  const Eigen::MatrixXd coupling = robot.robot.transmission().coupling();
  const auto factors = [&](double factor) {
    Eigen::VectorXd all = Eigen::VectorXd::Ones(robot.count());
    all[joint] = factor;
    return Eigen::MatrixXd(all.asDiagonal());
  };
  const auto j = static_cast<std::size_t>(joint);
  const Eigen::MatrixXd position = factors(of_position), torque = factors(of_torque);
  hypothesis.position = (sides.position[j] ? coupling.inverse() * position * coupling : position) * hypothesis.position;
  hypothesis.torque =
      (sides.torque[j] ? coupling.transpose() * torque * coupling.transpose().inverse() : torque) * hypothesis.torque;
  return hypothesis;
}

Hypothesis with_sign(const Hypothesis& hypothesis, const RobotSpec& robot, const MotorSides& sides, int joint,
                     WrongSign sign) {
  return scaled(hypothesis, robot, sides, joint, sign != WrongSign::torque ? -1.0 : 1.0,
                sign != WrongSign::position ? -1.0 : 1.0);
}

// A factor on the position of a motor, its inverse on its torque.
Hypothesis with_factor(const Hypothesis& hypothesis, const RobotSpec& robot, const MotorSides& sides, int joint,
                       double factor) {
  const auto j = static_cast<std::size_t>(joint);
  return scaled(hypothesis, robot, sides, joint, sides.position[j] ? factor : 1.0,
                sides.torque[j] ? 1.0 / factor : 1.0);
}

// What may be wrong with a joint beside one sign: both signs, the ratio of its motor, or the scale of what was recorded
// at the joint itself: of one channel, or of both where a drive has converted them by a wrong ratio.
enum class Fault { both_signs, ratio, position_scale, torque_scale, conversion };

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

constexpr double kWidest = 1.4;  // of a factor's logarithm

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
      consider(j, Fault::both_signs, with_sign(now, robot_, sides_, j, WrongSign::both), 1.0);
      for (const Fault fault : scales_of(j)) {
        const double factor = best_factor(now, regressors, j, fault);
        // Gears come in steps of 5 %; a single channel is wrong by a torque constant, or a unit.
        const double least = fault == Fault::ratio || fault == Fault::conversion ? 0.05 : 0.2;
        if (std::abs(std::log(factor)) > least) consider(j, fault, with_scale(now, j, fault, factor), factor);
      }
    }
    return worst;
  }

  // Of the ratio of a joint's motor: those beyond which the fit would lose as much as decides. Empty where already the
  // next gear would, or where the log has no motor's side.
  std::optional<JointCheck::Range> range_of_ratio(const Hypothesis& now, int joint, double ratio) const {
    if (scales_of(joint).front() != Fault::ratio) return std::nullopt;
    constexpr double kNextGear = 0.25;  // of the factor's logarithm: what is told to a quarter is told
    constexpr double kStep = 0.15;      // as exactly as the range is said
    const auto settled = fit_.misfit(now);
    const auto last_that_fits = [&](double direction) {
      double last = 0.0;
      for (double next = kNextGear; next < kWidest; last = next, next += kStep) {
        const auto there = fit_.misfit(with_factor(now, robot_, sides_, joint, std::exp(direction * next)));
        if (there.record - settled.record > kDecisive || there.sum() - settled.sum() > kDecisiveByInertia) break;
      }
      return direction * last;
    };
    const double lowest = last_that_fits(-1.0), highest = last_that_fits(1.0);
    if (lowest == 0.0 && highest == 0.0) return std::nullopt;
    return JointCheck::Range{ratio * std::exp(-highest), ratio * std::exp(-lowest)};
  }

 private:
  std::vector<Fault> scales_of(int joint) const {
    const auto j = static_cast<std::size_t>(joint);
    if (sides_.position[j] || sides_.torque[j]) return {Fault::ratio};
    return {Fault::position_scale, Fault::torque_scale, Fault::conversion};
  }
  Hypothesis with_scale(Hypothesis now, int joint, Fault fault, double factor) const {
    if (fault == Fault::ratio) return with_factor(now, robot_, sides_, joint, factor);
    if (fault != Fault::torque_scale) now.position.row(joint) *= factor;
    if (fault != Fault::position_scale) now.torque.row(joint) *= fault == Fault::conversion ? 1.0 / factor : factor;
    return now;
  }
  // `regressors` are those of the positions as they are.
  double best_factor(const Hypothesis& now, const HypothesisFit::Regressors& regressors, int joint, Fault fault) const {
    constexpr double kStep = 0.2;  // of the factor's logarithm
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
    if (checks[static_cast<std::size_t>(j)].own.gives_energy())
      now = with_sign(now, robot, sides, j, WrongSign::torque);
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
      case Fault::conversion:
        checks[at].position_factor = checks[at].position_factor.value_or(1.0) * worst.factor;
        checks[at].torque_factor = checks[at].torque_factor.value_or(1.0) / worst.factor;
        break;
      case Fault::both_signs:
        turned[at] = !turned[at];
    }
  }
  const double settled = fit.misfit(now).record;
  for (int j = 0; j < robot.count(); ++j) {
    JointCheck& check = checks[static_cast<std::size_t>(j)];
    check.ratio_range = suspicions.range_of_ratio(now, j, check.ratio.value_or(robot.robot.transmission().ratio()[j]));
    const bool both = turned[static_cast<std::size_t>(j)];
    if (!check.own.gives_energy()) {
      if (both) check.sign = WrongSign::both;
      continue;
    }
    // From a wrong torque to a wrong position both signs change.
    const bool is_told = fit.misfit(with_sign(now, robot, sides, j, WrongSign::both)).record - settled > kDecisive;
    check.sign = !is_told ? WrongSign::either : both ? WrongSign::position : WrongSign::torque;
  }
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
  const std::vector<ShapeRange> reaches_told = reach_ranges(fitted, {record});
  std::vector<JointCheck> checks(static_cast<std::size_t>(fitted.count()));
  for (int j = 0; j < fitted.count(); ++j) {
    const auto at = static_cast<std::size_t>(j);
    checks[at].own =
        check_own_rows(columns, base, j, {now[at], before[at], after[at]}, samples, record, reaches_told[at]);
  }
  const CheckedSamples fewer = checked_samples(record, fitted.rows, kRowsOften);
  const Eigen::MatrixXd measured = joint_torque_by_measured(fitted, sides.torque, "").inverse();
  const HypothesisFit fit(fitted, columns, base, fewer, measured, reaches(checks));
  find_signs_and_ratios(fit, fitted, sides, checks);
  return checks;
}

namespace {

// A joint with the names of its channels, and what was found of it.
struct NamedCheck {
  const JointCheck& check;
  std::string joint, torque, position;
  bool turns;

  Diagnostic say(const char* what, Severity severity, std::string sentence) const {
    return {fmt::format("{}.{}", joint, what), severity, std::move(sentence)};
  }
};

Diagnostic clock_diagnostic(const NamedCheck& named) {
  const auto& own = named.check.own;
  const std::string how_much =
      fmt::format("{} comes {:.2f} ± {:.2f} ms {} {}", named.torque, 1e3 * std::abs(own.delay),
                  1e3 * k95 * own.delay_std, own.delay > 0.0 ? "after" : "before", named.position);
  if (own.is_clock())
    return named.say("clock", Severity::error,
                     fmt::format("{}: give it delay = \"{:.3g} ms\" in [log.channels].", how_much, 1e3 * own.delay));
  if (own.bends())
    return named.say(
        "clock", Severity::warning,
        fmt::format("{}; friction that bends over {:.2g} {} before it slides explains that as well, or better: let "
                    "tauhat identify find it with friction.law = \"dahl\" in [robot], or look at the clock.",
                    how_much, own.reach, named.turns ? "rad" : "m"));
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

std::string in_words(const JointCheck::Range& range) {
  return fmt::format("{:.3g} to {:.3g}", range.lower, range.upper);
}

Diagnostic ratio_diagnostic(const NamedCheck& named, double given) {
  const JointCheck& check = named.check;
  return named.say("ratio", Severity::error,
                   fmt::format("{}: the gear ratio {:.6g} does not fit {}; {} would.", named.joint, given,
                               check.ratio_by_inertia ? "the inertias of the study, unless those are wrong"
                                                      : "the torques of the motion",
                               check.ratio_range ? in_words(*check.ratio_range) : fmt::format("{:.4g}", *check.ratio)));
}

Diagnostic range_diagnostic(const NamedCheck& named, double given) {
  return named.say("ratio_unknown", Severity::info,
                   fmt::format("{}: this log does not tell the gear ratio {:.6g}: with other inertias and friction {} "
                               "would do as well. Turn the motor by a known angle, and measure how far the joint {}.",
                               named.joint, given, in_words(*named.check.ratio_range), named.turns ? "turns" : "goes"));
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
                           fmt::format("{}{}.position", name, sides.position[j] ? ".motor" : ""),
                           robot.robot.joint(static_cast<int>(j)).is_revolute()};
    if (check.own.is_delayed) found.push_back(clock_diagnostic(named));
    if (check.sign) found.push_back(sign_diagnostic(named, *check.sign));
    const double given = robot.robot.transmission().ratio()[static_cast<int>(j)];
    if (check.ratio)
      found.push_back(ratio_diagnostic(named, given));
    else if (check.ratio_range)
      found.push_back(range_diagnostic(named, given));
    if (check.position_factor) found.push_back(factor_diagnostic(named, named.position, *check.position_factor));
    if (check.torque_factor) found.push_back(factor_diagnostic(named, named.torque, *check.torque_factor));
  }
  return found;
}

}  // namespace tauhat
