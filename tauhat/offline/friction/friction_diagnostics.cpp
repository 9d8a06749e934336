#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "tauhat/offline/friction/curve_fit.hpp"
#include "tauhat/offline/friction/identify_friction.hpp"
#include "tauhat/offline/friction/refined_law.hpp"
#include "tauhat/offline/quantile.hpp"
#include "tauhat/offline/report/uncertainty.hpp"

namespace tauhat {

namespace {

// Of the friction: less is not seen without a law, and not with one either.
constexpr double kSeenBlindly = 2.0, kToldFromNone = 5.0;  // deviations

// |friction| while the axis speeds up, less that while it slows down, at middle speeds; each beyond that of the law in
// steady motion, because the axis may speed up at other speeds than it slows down at. By the smoother, because a filter
// lags and so draws a loop of its own.
void measure_hysteresis(const FrictionFit& fit, FrictionMeasures& m) {
  const auto& v = fit.blind.velocity.value;
  std::vector<double> speeds;
  for (const double each : v) speeds.push_back(std::abs(each));
  const double low = quantile(speeds, 0.3), high = quantile(speeds, 0.9);
  double size = 0.0, beyond[2] = {0, 0}, count[2] = {0, 0}, square = 0.0;
  for (std::size_t k = 1; k + 1 < v.size(); ++k) {
    const double speed = std::abs(v[k]);
    if (speed < low || speed > high) continue;
    const std::size_t side = (v[k + 1] - v[k - 1]) * v[k] > 0.0 ? 0 : 1;
    const double friction = std::abs(fit.blind.friction.value[k]);
    size += friction, beyond[side] += friction - std::abs(fit.steady_force(v[k])), count[side] += 1.0;
    square += std::pow(fit.blind.friction.std[k], 2);
  }
  if (count[0] < 10.0 || count[1] < 10.0) return;
  const double mean = std::max(size / (count[0] + count[1]), 1e-300);
  m.hysteresis = (beyond[0] / count[0] - beyond[1] / count[1]) / mean;
  // Neighbouring estimates are alike: no better than one independent estimate for each stretch between reversals.
  const double stretches = static_cast<double>(std::max<std::size_t>(m.reversals, 1));
  m.hysteresis_std = std::sqrt(square / (count[0] + count[1]) / stretches) / mean;
}

// What the law does not describe of the friction that the blind smoother saw, beyond its noise; where the axis clearly
// moves. The law's friction is the parametric smoother's, which bends its bristles before they slide.
double misfit_of(const FrictionFit& fit) {
  const std::vector<double>& law = fit.parametric.smoothed_friction.value;
  double off = 0.0, noise = 0.0, size = 0.0;
  for (std::size_t k = 0; k < fit.blind.velocity.value.size(); ++k) {
    const double v = fit.blind.velocity.value[k], f = fit.blind.friction.value[k];
    if (std::abs(v) < fit.clearly_moving()) continue;
    off += std::pow(f - law[k], 2), noise += std::pow(fit.blind.friction.std[k], 2), size += f * f;
  }
  return size > 0.0 ? std::sqrt(std::max(off - noise, 0.0) / size) : 0.0;
}

// How far the blind friction lies off the law's curve, and off that of the nearest law.
void measure_curves(const FrictionFit& fit, FrictionMeasures& m) {
  const FrictionCurve curve = moving_curve(fit.blind, fit.clearly_moving());
  double size = 0.0;
  for (const double friction : curve.friction) size += friction * friction / static_cast<double>(curve.friction.size());
  if (!(size > 0.0) || fit.curves.empty()) return;
  m.off_curve = std::sqrt(off_curve(fit.law, 0.0, curve) / size);
  m.nearest_curve = std::sqrt(fit.curves.front().variance / size);
}

// By how much the record is likelier with the law than with no friction at all, as deviations of one number; of
// innovations that are alike, or too large, by as much less.
double told_from_none(const FrictionFit& fit) {
  ParametricSpec with = fit.spec;
  with.smooth = with.tracks = false;
  ParametricSpec without = with;
  without.law = {LawKind::coulomb_viscous, {0.0, 0.0}, {}};
  without.std = {0.0, 0.0}, without.drift.clear();
  const ParametricTracks none = run_parametric(without, fit.timeline), law = run_parametric(with, fit.timeline);
  if (law.diverged || !std::isfinite(law.log_likelihood)) return 0.0;
  const double likelier = none.diverged || !std::isfinite(none.log_likelihood)
                              ? std::numeric_limits<double>::infinity()
                              : law.log_likelihood - none.log_likelihood;
  return std::sqrt(std::max(2.0 * likelier / widening(fit.parametric), 0.0));
}

using Diagnostics = std::vector<Diagnostic>;

void add(Diagnostics& found, const char* name, Severity severity, std::string message) {
  found.push_back({name, severity, std::move(message)});
}

void diagnose_excitation(const FrictionMeasures& m, Diagnostics& found) {
  if (m.reversals == 0)
    add(found, "excitation.no_reversal", Severity::error,
        "The axis never turns back, so friction cannot be told from a constant force. Record motion in both "
        "directions, several times.");
  if (m.friction_over_noise < kSeenBlindly && m.told_from_none < kToldFromNone)
    add(found, "friction.below_noise", Severity::error,
        fmt::format("The friction found is only {:.2g} times its own uncertainty. Record more slowly, with a finer "
                    "position sensor, or longer.",
                    m.friction_over_noise));
  if (m.speed_spread < 0.2)
    add(found, "excitation.one_speed", Severity::error,
        fmt::format(
            "The axis moves at one speed only (its speeds spread by {:.0f} %), so how friction depends on speed "
            "cannot be seen. Record at least three speeds, from slow to the fastest.",
            100.0 * m.speed_spread));
}

// What is left in the means over stretches of sliding, beyond the noise.
void diagnose_unexplained(const FrictionFit& fit, Diagnostics& found) {
  const UnexplainedForce& left = fit.unexplained;
  if (!left.is_significant()) return;
  constexpr double kNoAnswer = 0.03;  // of the friction
  const bool is_answer = left.share < kNoAnswer;
  add(found, "law.none_fits", is_answer ? Severity::warning : Severity::error,
      fmt::format(
          "None of the laws describes this friction to within the noise: in means over {} stretches of sliding, "
          "the best, {}, leaves {:.2g} % of it, {:.2g} times what the sensor's noise makes of them. {}Check "
          "mass, gravity and the force's scale, and whether friction depends on position, load, or time.",
          left.velocity.size(), name_of(fit.law.kind), 100.0 * left.share, left.over_noise,
          is_answer ? "Its numbers are those of a mean, and their intervals were widened by as much. " : ""));
}

void diagnose_law(const FrictionFit& fit, const FrictionMeasures& m, const std::string& speed_unit,
                  Diagnostics& found) {
  if (!fit.candidates.front().separable)
    add(found, "law.not_separable", Severity::error,
        fmt::format("This motion cannot tell the parameters of any law apart. Of the nearest, {}: {}.",
                    name_of(fit.law.kind), fit.candidates.front().why));
  for (const UntoldParameter& each : fit.untold)
    add(found, "law.not_separable", Severity::error,
        fmt::format("{}: the record hardly tells more of it than was known before; {}.", each.name, each.why));
  if (fit.parametric.diverged)
    add(found, "filter.diverged", Severity::error,
        "The filter with the chosen law diverged. Check the axis' mass, the units and the sign of the force.");
  constexpr double kNotFitting = 0.1;
  if (m.misfit > kNotFitting)
    add(found, "law.none_fits", Severity::error,
        fmt::format(
            "None of the laws describes this friction: the best, {}, is {:.0f} % off what the blind smoother saw. "
            "Look at its curve; check mass, gravity and the force's scale, and whether friction depends on "
            "position or load.",
            name_of(fit.law.kind), 100.0 * m.misfit));
  // What the study knows only so well may move within that, not beyond.
  constexpr double kTooFar = 3.5;  // deviations: one study in two thousand
  for (const FittedInput& input : fitted_inputs(fit.given, fit.axis, fit.inputs_covariance)) {
    if (std::abs(input.deviations()) < kTooFar) continue;
    add(found, "law.none_fits", Severity::error,
        fmt::format(
            "None of the laws describes this friction with {} = {:.4g} +- {:.2g} {} as the study says: the best, "
            "{}, asks for {:.4g}, {:.1f} deviations off. Check it, and the force's scale.",
            input.name, input.given, input.given_std, input.unit, name_of(fit.law.kind), input.value,
            std::abs(input.deviations())));
  }
  // Laws off by less are told apart by the motion, not by the curve; a law that is right lies as near as the nearest,
  // but for what its smoother knows better.
  constexpr double kOffCurve = 0.03, kTimesNearest = 2.0;
  if (m.misfit <= kNotFitting && m.off_curve > std::max(kOffCurve, kTimesNearest * m.nearest_curve))
    add(found, "law.none_fits", Severity::error,
        fmt::format(
            "None of the laws describes both the curve of this friction and the motion around standstill: {} as fitted "
            "to the motion lies {:.0f} % off what the blind smoother saw, where a curve of {} lies {:.1f} % off. "
            "Record less standstill; check mass, gravity and the force's scale.",
            name_of(fit.law.kind), 100.0 * m.off_curve, name_of(fit.curves.front().law.kind), 100.0 * m.nearest_curve));
  if (std::none_of(found.begin(), found.end(), [](const Diagnostic& d) { return d.name == "law.none_fits"; }))
    diagnose_unexplained(fit, found);
  // What is left of the loop beyond its uncertainty; none of the laws without a memory draws one.
  const double loop = std::abs(m.hysteresis) - k95 * m.hysteresis_std;
  constexpr double kSmallLoop = 0.05;  // of the friction: the parameters are off by no more
  if (loop > kSmallLoop && fit.law.kind != LawKind::lugre)
    add(found, "law.hysteresis", Severity::error,
        fmt::format("Friction is {:.0f} % {} while the axis speeds up than while it slows down, and {} knows no "
                    "difference: its parameters are a compromise between the two. Record slower changes of speed and "
                    "less standstill; check the mass, which is in error where the loop grows with acceleration.",
                    100.0 * std::abs(m.hysteresis), m.hysteresis > 0.0 ? "larger" : "smaller", name_of(fit.law.kind)));
  // An exponential falls so far over two of its lengths: with less, a line fits about as well.
  constexpr double kNotYetFallen = 0.15;
  if (m.left_of_excess > kNotYetFallen)
    add(found, "law.extrapolated", Severity::warning,
        fmt::format("Up to the fastest speed, {:.3g} {}, the law's excess has fallen to {:.0f} % of what it is at "
                    "standstill: its level at speed (coulomb) and the excess are extrapolated, and only their sum "
                    "along the curve is what was measured. Record faster, or read the curve.",
                    m.fastest, speed_unit, 100.0 * m.left_of_excess));
}

void diagnose_filter(const FrictionMeasures& m, Diagnostics& found) {
  // A filter that is right leaves white innovations of the assumed size. The intervals are widened by what they are
  // not; beyond some point that is no answer any more.
  const double r = std::abs(m.autocorrelation);
  if (m.mean_nis > 4.0 || r > 0.8)
    add(found, "filter.inconsistent", Severity::error,
        fmt::format("The innovations are {:.2g} times as large as they should be, and alike from sample to sample by "
                    "{:.2f}: the intervals cannot be trusted. Check the sensor's std, the mass and the sample times.",
                    std::sqrt(m.mean_nis), m.autocorrelation));
  else if (m.mean_nis > 1.5 || r > 0.2)
    add(found, "filter.coloured", Severity::warning,
        fmt::format("The innovations are {:.2g} times as large as they should be, and alike from sample to sample by "
                    "{:.2f}; {}.",
                    std::sqrt(m.mean_nis), m.autocorrelation,
                    m.mean_nis > 1.0 || m.autocorrelation > 0.0
                        ? "the intervals were widened by as much"
                        : "less noise was seen than assumed, and the intervals are rather too wide"));
}

}  // namespace

FrictionMeasures measure(const FrictionFit& fit, const Timeline& timeline) {
  FrictionMeasures m;
  const auto [least, most] = std::minmax_element(fit.blind.position.value.begin(), fit.blind.position.value.end());
  m.travel_over_noise = (*most - *least) / std::sqrt(std::max(fit.noise_variance, 1e-300));
  m.reversals = fit.blind.turns.size();
  std::vector<double> speeds, sizes, spreads;
  for (std::size_t k = 0; k < timeline.size(); ++k) {
    if (std::abs(fit.blind.velocity.value[k]) > fit.blind_options.reversal_speed)
      speeds.push_back(std::abs(fit.blind.velocity.value[k]));
    sizes.push_back(std::abs(fit.blind.friction.value[k]));
    spreads.push_back(fit.blind.friction.std[k]);
  }
  m.speed_spread = (quantile(speeds, 0.9) - quantile(speeds, 0.1)) / std::max(quantile(speeds, 0.5), 1e-300);
  m.friction_over_noise = quantile(sizes, 0.5) / std::max(quantile(spreads, 0.5), 1e-300);
  if (m.friction_over_noise < kSeenBlindly) m.told_from_none = told_from_none(fit);
  m.misfit = misfit_of(fit);
  measure_curves(fit, m);
  m.fastest = quantile(speeds, 0.99);
  m.left_of_excess = fit.law.left_at(m.fastest);
  // The filter's only where the numbers are the filter's.
  m.mean_nis = fit.motion ? fit.motion->mean_square : fit.parametric.mean_nis;
  m.autocorrelation = fit.motion ? fit.motion->autocorrelation : largest_autocorrelation(fit.parametric.innovations);
  measure_hysteresis(fit, m);
  return m;
}

std::vector<Diagnostic> diagnose(const FrictionFit& fit, const FrictionMeasures& m, const std::string& speed_unit) {
  std::vector<Diagnostic> found;
  if (m.travel_over_noise < 50.0) {
    add(found, "excitation.no_motion", Severity::error,
        fmt::format("The axis hardly moves: its travel is {:.3g} times the noise of its position. Record a motion over "
                    "its working range, forth and back.",
                    m.travel_over_noise));
    return found;
  }
  diagnose_excitation(m, found);
  diagnose_law(fit, m, speed_unit, found);
  diagnose_filter(m, found);
  return found;
}

}  // namespace tauhat
