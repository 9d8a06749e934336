#include "tauhat/offline/robot/robot_checks.hpp"

#include <algorithm>
#include <cmath>

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

// What may be wrong with a joint: a sign, where its own rows alone did not show it, or both, the ratio of its motor, or
// the scale of what was recorded at the joint itself: of one channel, or of both where a drive has converted them by a
// wrong ratio.
enum class Fault { torque_sign, position_sign, both_signs, ratio, position_scale, torque_scale, conversion };

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

// Of a factor's logarithm. Gears come in steps of 5 %.
constexpr double kNextGear = 0.05, kWidest = 1.4;

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
      consider(j, Fault::torque_sign, with_sign(now, robot_, sides_, j, WrongSign::torque), 1.0);
      consider(j, Fault::position_sign, with_sign(now, robot_, sides_, j, WrongSign::position), 1.0);
      consider(j, Fault::both_signs, with_sign(now, robot_, sides_, j, WrongSign::both), 1.0);
      for (const Fault fault : scales_of(j)) {
        const double factor = best_factor(now, regressors, j, fault);
        // A single channel is wrong by a torque constant, or a unit.
        const double least = fault == Fault::ratio || fault == Fault::conversion ? kNextGear : 0.2;
        if (std::abs(std::log(factor)) > least) consider(j, fault, with_scale(now, j, fault, factor), factor);
      }
    }
    return worst;
  }

  // Of a factor on a joint's position, its inverse on its torque: those that the fit would hardly lose by. Empty where
  // already the next gear would be too much.
  std::optional<JointCheck::Range> factors_that_fit(const Hypothesis& now, const HypothesisFit::Misfit& settled,
                                                    int joint) const {
    const Fault fault = is_of_motor(joint) ? Fault::ratio : Fault::conversion;
    const double least = last_that_fits(now, settled, joint, fault, -1.0),
                 most = last_that_fits(now, settled, joint, fault, 1.0);
    if (least == 0.0 && most == 0.0) return std::nullopt;
    return JointCheck::Range{std::exp(-least), std::exp(most)};
  }

  bool is_of_motor(int joint) const {
    const auto j = static_cast<std::size_t>(joint);
    return sides_.position[j] || sides_.torque[j];
  }

 private:
  std::vector<Fault> scales_of(int joint) const {
    if (is_of_motor(joint)) return {Fault::ratio};
    return {Fault::position_scale, Fault::torque_scale, Fault::conversion};
  }
  Hypothesis with_scale(Hypothesis now, int joint, Fault fault, double factor) const {
    if (fault == Fault::ratio) return with_factor(now, robot_, sides_, joint, factor);
    if (fault != Fault::torque_scale) now.position.row(joint) *= factor;
    if (fault != Fault::position_scale) now.torque.row(joint) *= fault == Fault::conversion ? 1.0 / factor : factor;
    return now;
  }
  // The logarithm of the last factor to one side, as exactly as gears are told apart. What would be found, were it
  // wrong by that, is lost: a ratio is found or lies between these.
  double last_that_fits(const Hypothesis& now, const HypothesisFit::Misfit& settled, int joint, Fault fault,
                        double side) const {
    const auto fits = [&](double logarithm) {
      const auto there = fit_.misfit(with_scale(now, joint, fault, std::exp(side * logarithm)));
      const bool by_inertia = fault == Fault::ratio && there.sum() - settled.sum() > kDecisiveByInertia;
      return !by_inertia && there.record - settled.record <= kDecisive;
    };
    double last = 0.0, beyond = kNextGear;
    while (beyond < kWidest && fits(beyond)) last = beyond, beyond *= 1.6;
    if (last == 0.0) return 0.0;
    for (beyond = std::min(beyond, kWidest); beyond - last > 0.5 * kNextGear;) {
      const double between = 0.5 * (last + beyond);
      (fits(between) ? last : beyond) = between;
    }
    return last;
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

// The worst is put right first: one wrong joint spoils the fit of the others.
void find_signs_and_ratios(const HypothesisFit& fit, const RobotSpec& robot, const MotorSides& sides,
                           std::vector<JointCheck>& checks) {
  Hypothesis now(robot.count());
  std::vector<Turned> turned(checks.size());
  for (std::size_t j = 0; j < checks.size(); ++j) {
    if (!checks[j].own.gives_energy()) continue;
    now = with_sign(now, robot, sides, static_cast<int>(j), WrongSign::torque);
    turned[j].torque = true;
  }
  const Suspicions suspicions(fit, robot, sides);
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
      case Fault::torque_sign:
      case Fault::position_sign:
      case Fault::both_signs:
        turned[at].torque ^= worst.fault != Fault::position_sign;
        turned[at].position ^= worst.fault != Fault::torque_sign;
    }
  }
  const auto given = robot.robot.transmission().ratio();
  const auto settled = fit.misfit(now);
  for (int j = 0; j < robot.count(); ++j) {
    JointCheck& check = checks[static_cast<std::size_t>(j)];
    if (const auto factors = suspicions.factors_that_fit(now, settled, j)) {
      const double ratio = check.ratio.value_or(given[j]);
      // What is too much for the position is too little for the ratio.
      if (suspicions.is_of_motor(j))
        check.ratio_range = {ratio / factors->upper, ratio / factors->lower};
      else
        check.conversion_range = factors;
    }
    const auto turned_over = fit.misfit(with_sign(now, robot, sides, j, WrongSign::both));
    const bool is_told = turned_over.record - settled.record > kDecisive;
    judge_signs(turned[static_cast<std::size_t>(j)], is_told, check);
    check.inertias_speak_for_turning = check.signs_are_open && settled.sum() - turned_over.sum() > kDecisiveByInertia;
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

}  // namespace tauhat
