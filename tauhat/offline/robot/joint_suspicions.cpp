#include "tauhat/offline/robot/joint_suspicions.hpp"

#include <algorithm>
#include <cmath>

#include "tauhat/offline/robot/line_search.hpp"

namespace tauhat {
namespace {

// Of a factor's logarithm. Gears come in steps of 5 %.
constexpr double kNextGear = 0.05, kWidest = 1.4;

}  // namespace

Suspicion Suspicions::worst(const Hypothesis& now) const {
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

std::optional<Suspicions::Factors> Suspicions::factors_that_fit(const Hypothesis& now,
                                                                const HypothesisFit::Misfit& settled, int joint) const {
  const Fault fault = is_of_motor(joint) ? Fault::ratio : Fault::conversion;
  const double least = last_that_fits(now, settled, joint, fault, -1.0),
               most = last_that_fits(now, settled, joint, fault, 1.0);
  if (least == 0.0 && most == 0.0) return std::nullopt;
  return Factors{std::exp(-least), std::exp(most)};
}

bool Suspicions::is_of_motor(int joint) const {
  const auto j = static_cast<std::size_t>(joint);
  return sides_.position[j] || sides_.torque[j];
}

std::vector<Fault> Suspicions::scales_of(int joint) const {
  if (is_of_motor(joint)) return {Fault::ratio};
  return {Fault::position_scale, Fault::torque_scale, Fault::conversion};
}

Hypothesis Suspicions::with_scale(Hypothesis now, int joint, Fault fault, double factor) const {
  if (fault == Fault::ratio) return with_factor(now, robot_, sides_, joint, factor);
  if (fault != Fault::torque_scale) now.position.row(joint) *= factor;
  if (fault != Fault::position_scale) now.torque.row(joint) *= fault == Fault::conversion ? 1.0 / factor : factor;
  return now;
}

// The logarithm of the last factor to one side, as exactly as gears are told apart. What would be found, were it
// wrong by that, is lost: a ratio is found or lies between these.
double Suspicions::last_that_fits(const Hypothesis& now, const HypothesisFit::Misfit& settled, int joint, Fault fault,
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
double Suspicions::best_factor(const Hypothesis& now, const HypothesisFit::Regressors& regressors, int joint,
                               Fault fault) const {
  constexpr double kStep = 0.2;  // of the factor's logarithm
  const auto misfit_at = [&](double logarithm) {
    const Hypothesis scaled = with_scale(now, joint, fault, std::exp(logarithm));
    const auto misfit = fault == Fault::torque_scale ? fit_.misfit(regressors, scaled.torque) : fit_.misfit(scaled);
    return misfit.sum();
  };
  const double near = best_of(-kWidest, kWidest, static_cast<int>(2.0 * kWidest / kStep), misfit_at);
  return std::exp(minimum_between(near - kStep, near + kStep, 5e-3, misfit_at));
}

}  // namespace tauhat
