#include "tauhat/offline/identify/diagnose.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "tauhat/offline/quantile.hpp"
#include "tauhat/offline/report/uncertainty.hpp"
#include "tauhat/offline/spelling.hpp"

namespace tauhat {
namespace {

// A smaller correlation does not count: the starts of a short segment take up to a third less than their number says,
// where the sensors hardly see them.
double smallest_correlation(const BacklashMeasures& m) { return std::max(0.06, 0.5 * m.taken_by_starts); }

// What is pressed clearly: four standard deviations of the smoothed torque, and a twentieth of the largest torques,
// below which the smoother rounds. Of the largest hundredth the least, so that no outlier is taken for them.
double clear_torque(double std, double large) { return std::max(4.0 * std, 0.05 * large); }

void measure_contact(const BacklashFit& fit, BacklashMeasures& m) {
  std::vector<double> size, spread;
  for (std::size_t i = 0; i < fit.cloud.size(); ++i) {
    size.push_back(std::abs(fit.cloud.torque[i]));
    spread.push_back(std::sqrt(fit.cloud.torque_variance[i]));
  }
  const double large = quantile(size, 0.99);
  double positive = 0.0, negative = 0.0;
  int pressed = 0;  // the flank that is, by its sign; none before it is let go
  for (std::size_t i = 0; i < fit.cloud.size(); ++i) {
    const double clearly = clear_torque(spread[i], large);
    if (size[i] < 0.5 * clearly) pressed = 0;
    if (size[i] <= clearly) continue;
    const int flank = fit.cloud.torque[i] > 0.0 ? 1 : -1;
    (flank > 0 ? positive : negative) += 1.0;
    if (flank != pressed) ++(flank > 0 ? m.presses_positive : m.presses_negative);
    pressed = flank;
  }
  const auto n = static_cast<double>(fit.cloud.size());
  m.share_positive = positive / n;
  m.share_negative = negative / n;
  m.torque_over_noise = quantile(size, 0.9) / std::max(quantile(spread, 0.5), 1e-300);
}

// A stiffness that is none, or whose deviation is no number, is told by nothing.
double spread_of_stiffness(const BacklashFit& fit) {
  const double spread = fit.stiffness_std() / fit.stiffness();
  return spread >= 0.0 ? spread : std::numeric_limits<double>::infinity();
}

// A bump at a tenth of the usual speed, a corner of a tenth of what the spring is pressed in.
SuspectedShapes shapes_of(const BacklashFit& fit) {
  std::vector<double> speed, torque;
  for (const double w : fit.smoothed("motor.velocity").value) speed.push_back(std::abs(w));
  for (const double tau : fit.cloud.torque) torque.push_back(std::abs(tau));
  const double large = quantile(std::move(torque), 0.95);
  return {.bump_speed = std::max(0.1 * quantile(std::move(speed), 0.9), 1e-9),
          .corner_width = std::max(0.1 * large / fit.stiffness(), 1e-12),
          .largest_torque = std::max(large, 1e-12)};
}

double flank_share(const BacklashMeasures& m) { return std::min(m.share_positive, m.share_negative); }

// One sample in two hundred is what a single bounce against a flank leaves.
constexpr double kNeverPressed = 0.005;
// Samples on one flank, above which a record has torque enough to tell that the other is never reached.
constexpr double kEnoughContact = 0.08;
// The more often a flank is pressed, and the harder, the more is told. Each alone says little: sines press fifteen
// times and tell the stiffness to 1e-4, a stiff gear with a wide gap bounces fifty times and tells it to 6e-3.
// Simulation 2 with 0.6 N m instead of 2 N m presses 20 to 34 times and tells it to 7e-3 to 14e-3 (38 records of 3 s);
// with gaps of 10 to 250 mrad, 30 to 150 N m/rad and noise of 0.1 to 1 rad/s it is 32 times and 4e-3, or 42 times and
// 7e-3, at the least.
constexpr int kEnoughPresses = 38;
constexpr double kToldStiffness = 5e-3;

bool is_weak(const BacklashMeasures& m) {
  const int presses = std::min(m.presses_positive, m.presses_negative);
  // An outlier makes the smoothed torque too uncertain for any press to be clear; the fit leaves it out.
  const bool is_never_pressed = flank_share(m) < kNeverPressed && !m.gap_is_told;
  return is_never_pressed || m.gap_reaches_zero ||
         (presses < kEnoughPresses && !(m.stiffness_spread <= kToldStiffness));
}

void diagnose_excitation(const BacklashMeasures& m, std::vector<Diagnostic>& found) {
  const double lesser = flank_share(m), greater = std::max(m.share_positive, m.share_negative);
  if (presses_one_flank_alone(m)) {
    found.push_back(
        {"excitation.one_sided", Severity::error,
         fmt::format(
             "The load never presses on the {} flank ({:.1f} % of the samples, {:.0f} % on the other), so the gap has "
             "only a lower bound. Record torque of both signs, strong enough to turn the load around.",
             m.share_positive < m.share_negative ? "upper" : "lower", 100.0 * lesser, 100.0 * greater)});
  } else if (is_weak(m)) {
    const bool is_upper = m.presses_positive < m.presses_negative;
    const int presses = is_upper ? m.presses_positive : m.presses_negative;
    const double share = is_upper ? m.share_positive : m.share_negative;
    const std::string told = std::isfinite(m.stiffness_spread) && m.stiffness_spread < 1.0
                                 ? fmt::format("which tells {} to ± {:.2g} % at best",
                                               m.gap_reaches_zero ? "no gap, and the stiffness" : "the stiffness",
                                               100.0 * k95 * m.stiffness_spread)
                                 : "which tells nothing of the stiffness";
    found.push_back({"excitation.weak_torque", Severity::error,
                     fmt::format("The {} flank is pressed clearly only {} ({:.1f} % of the samples), {}: the "
                                 "torque is too small beside the noise. Record with twice the torque or more, longer, "
                                 "or with less sensor noise.",
                                 is_upper ? "upper" : "lower",
                                 counted(static_cast<std::size_t>(presses), "time", "times"), 100.0 * share, told)});
  }
}

// True where the shooting fit agrees with its sensors.
bool fits(const BacklashFit& fit, const BacklashMeasures& m, double& limit) {
  // Five standard deviations of a reduced chi-square, and never less than 10 %: noise is rarely known better.
  const double freedom = std::max<double>(1.0, static_cast<double>(fit.shooting->residual_count));
  limit = 1.0 + std::max(0.1, 5.0 * std::sqrt(2.0 / freedom));
  return m.reduced_chi_square <= limit && m.dropped_share <= 0.25;
}

void diagnose_model(const BacklashFit& fit, const BacklashMeasures& m, std::vector<Diagnostic>& found) {
  double limit = 1.1;
  if (!fits(fit, m, limit)) {
    found.push_back(
        {"model.misfit", Severity::error,
         fmt::format(
             "The model does not fit: its prediction misses the sensors by {:.2f} times their noise (chi-square "
             "{:.2f}, "
             "at most {:.2f}; {:.0f} % of the segments could not be fitted). Check inertias, friction, the torque's "
             "scale and delay, and the sensors' std; or let them be fitted.",
             std::sqrt(m.reduced_chi_square), m.reduced_chi_square, limit, 100.0 * m.dropped_share)});
  }
  // 4.5 standard deviations happen once in ten thousand records.
  if (m.whiteness > 4.5 && std::abs(m.autocorrelation) > smallest_correlation(m)) {
    found.push_back(
        {"model.residuals_not_white", Severity::error,
         fmt::format(
             "What the model leaves is not noise: neighbouring residuals are correlated ({:+.2f}, {:.0f} standard "
             "deviations), so the intervals are too narrow. Something acts that the model lacks.",
             m.autocorrelation, m.whiteness)});
  }
}

void diagnose_suspects(const BacklashFit& fit, const BacklashMeasures& m, std::vector<Diagnostic>& found) {
  std::vector<std::string> moved;
  const auto& parameters = fit.shooting_problem->parameters;
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const ShootingParameter& p = parameters[i];
    if (p.name != "backlash.gap" && !p.name.starts_with("transmission.stiffness")) continue;
    const auto all = static_cast<Eigen::Index>(parameters.size()), at = static_cast<Eigen::Index>(i);
    moved.push_back(fmt::format("{} by up to {:.2g} {}", p.name,
                                largest_shift(m.suspects, Eigen::VectorXd::Unit(all, at)), p.unit));
  }
  if (auto suspicious = suspect_diagnostic(m.suspects, moved)) found.push_back(std::move(*suspicious));
}

// What the shooting fit says of itself.
void diagnose_fit(const BacklashFit& fit, std::vector<Diagnostic>& found) {
  if (!fit.shooting && fit.share_used == 0.0)
    found.push_back(
        {"record.too_short", Severity::error,
         "The log is shorter than two periods of the drive's resonance: there is nothing to fit the law to. "
         "Record a second or more."});
  if (!fit.shooting) return;
  if (!fit.shooting->undetermined.empty())
    found.push_back(
        {"unknown.undetermined", Severity::error,
         fmt::format("The log does not tell {}: changing {} leaves the prediction as it is. Give {} a known "
                     "value or a std, or record a motion that shows {}.",
                     fmt::join(fit.shooting->undetermined, ", "),
                     fit.shooting->undetermined.size() > 1 ? "them together" : "it",
                     fit.shooting->undetermined.size() > 1 ? "one of them" : "it",
                     fit.shooting->undetermined.size() > 1 ? "them apart" : "it")});
  if (!fit.shooting->converged)
    found.push_back({"fit.not_settled", Severity::warning,
                     "The fit was still moving when it was stopped; compare it with the fit of another log."});
}

void diagnose_drift(const BacklashFit& fit, const BacklashMeasures& m, std::vector<Diagnostic>& found) {
  if (m.drift_over_range <= 0.25) return;
  // The cloud is lost then; the shooting fit, whose segments start anew, may still hold.
  double limit = 1.1;
  const bool saved = fit.shooting && fits(fit, m, limit);
  found.push_back(
      {"drift.displacement", saved ? Severity::warning : Severity::error,
       fmt::format("The displacement drifts by {:.0f} % of its range within a tenth of a second, "
                   "more than "
                   "the gap can be told from in the cloud{}. Record shorter, use a better velocity signal, or measure "
                   "the load.",
                   100.0 * m.drift_over_range,
                   saved ? "; the fitted law, which starts anew in each segment, still agrees with the sensors" : "")});
}

// Of the samples, those that repeat the one before.
double repeated_share(const std::vector<double>& value) {
  double repeated = 0.0, count = 0.0;
  for (std::size_t k = 1; k < value.size(); ++k) {
    if (!std::isfinite(value[k]) || !std::isfinite(value[k - 1])) continue;
    repeated += value[k] == value[k - 1], count += 1.0;
  }
  return count > 0.0 ? repeated / count : 0.0;
}

// Positions that move on, by motion or noise, are rounded anew each time: then rounding is noise, and the interval of a
// gap that is not there is right. n samples of which a share r repeats the one before are worth (1 - r) n: at 3/4,
// intervals are half as wide as they should be.
constexpr double kMostRepeated = 0.75;

void diagnose_resolution(const Channel& channel, const Timeline::Sensor& sensor, const ToldGap& gap, double ratio,
                         std::vector<Diagnostic>& found) {
  if (channel.resolution <= 0.0) return;
  const double at_load = channel.signal.starts_with("motor.") ? channel.resolution / ratio : channel.resolution;
  const bool is_position = channel.signal.ends_with(".position");
  if (is_position && gap.is_found && at_load > 0.5 * gap.size) {
    found.push_back({"sensor.coarse", Severity::error,
                     fmt::format("One step of {} is {:.3g} rad at the load, and the gap {:.3g} rad: too coarse to see "
                                 "it. Use a finer encoder, "
                                 "or the velocity of the drive's own observer.",
                                 channel.signal, at_load, gap.size)});
  }
  const double repeated = repeated_share(channel.value);
  if (is_position && !gap.is_found && at_load > 0.5 * gap.size && repeated > kMostRepeated) {
    found.push_back({"sensor.coarse", Severity::error,
                     fmt::format("One step of {} is {:.3g} rad at the load, and {:.0f} % of the samples repeat the one "
                                 "before: too coarse to tell that a gap is smaller than {:.3g} rad. Use a finer "
                                 "encoder, or move faster.",
                                 channel.signal, at_load, 100.0 * repeated, gap.size)});
  }
  // Rounding is noise as long as the noise spans the steps. `prepare` raised the std to that of the rounding, step /
  // sqrt(12), where the study's own was smaller: then the steps, not the noise, are what the sensor shows.
  const bool is_rounding = channel.resolution >= 0.999 * std::sqrt(12.0 * sensor.variance);
  if (channel.signal.ends_with(".velocity") && is_rounding) {
    found.push_back({"sensor.coarse", Severity::error,
                     fmt::format("{} moves in steps of {:.3g} rad/s, coarser than its noise: rounding hides the motion "
                                 "inside the gap. Record "
                                 "it with more digits, or from a finer encoder.",
                                 channel.signal, channel.resolution)});
  }
}

}  // namespace

void measure_whiteness(const ShootingProblem& problem, const ShootingFit& fit, BacklashMeasures& m) {
  const auto n = static_cast<double>(problem.segments.front().intervals);
  const double p = (problem.position_is_local ? 4.0 : 3.0) / static_cast<double>(fit.residuals.size());
  const double expected = -p / n;
  m.taken_by_starts = p / n;
  const double smallest = smallest_correlation(m);
  const auto longest = static_cast<std::size_t>(std::clamp(n / 12.0, 1.0, 10.0));
  for (const auto& row : fit.residuals) {
    double variance = 0.0, count = 0.0;
    for (const double r : row) {
      if (std::isfinite(r)) variance += r * r, count += 1.0;
    }
    if (count < 50.0) continue;
    for (std::size_t lag = 1; lag <= longest; ++lag) {
      double product = 0.0;
      for (std::size_t k = lag; k < row.size(); ++k) {
        if (std::isfinite(row[k]) && std::isfinite(row[k - lag])) product += row[k] * row[k - lag];
      }
      const double correlation = product / variance - expected, whiteness = std::abs(correlation) * std::sqrt(count);
      const bool counts = std::abs(correlation) > smallest, counted = std::abs(m.autocorrelation) > smallest;
      if (counts != counted ? counts : whiteness > m.whiteness)
        m.autocorrelation = correlation, m.whiteness = whiteness;
    }
  }
}

bool presses_one_flank_alone(const BacklashMeasures& m) {
  return flank_share(m) < kNeverPressed && std::max(m.share_positive, m.share_negative) >= kEnoughContact;
}

BacklashMeasures measure(const BacklashFit& fit, const Timeline& timeline) {
  BacklashMeasures m;
  measure_contact(fit, m);
  std::vector<double> drift;
  for (const double variance : fit.cloud.offset.step_variance) drift.push_back(std::sqrt(variance));
  m.drift_over_range = quantile(drift, 0.5) / std::max(fit.displacement_range, 1e-12);
  double nis = 0.0, count = 0.0;
  for (std::size_t s = 0; s < timeline.sensors.size(); ++s) {
    const auto& innovations = fit.replay.innovations[s];
    for (std::size_t k = 0; k < timeline.size(); ++k) {
      if (!std::isfinite(innovations.innovation[k])) continue;
      const double z = innovations.innovation[k] / innovations.std[k];
      nis += z * z, count += 1.0;
    }
  }
  m.mean_nis = count > 0.0 ? nis / count : 0.0;
  m.stiffness_spread = spread_of_stiffness(fit);
  m.gap_is_told = fit.is_backlash && fit.gap() > k95 * fit.gap_std();
  m.gap_reaches_zero = fit.is_backlash && !m.gap_is_told;
  if (fit.shooting) {
    m.reduced_chi_square = fit.shooting->reduced_chi_square;
    m.dropped_share = fit.shooting->dropped_share;
    measure_whiteness(*fit.shooting_problem, *fit.shooting, m);
    ShootingProblem problem = *fit.shooting_problem;
    problem.timeline = &timeline;
    m.suspects = find_suspects(problem, *fit.shooting, shapes_of(fit));
  }
  return m;
}

std::vector<Diagnostic> diagnose(const BacklashFit& fit, const BacklashMeasures& m) {
  std::vector<Diagnostic> found;
  diagnose_excitation(m, found);
  diagnose_fit(fit, found);
  if (fit.shooting) diagnose_model(fit, m, found);
  if (fit.shooting) diagnose_suspects(fit, m, found);
  diagnose_drift(fit, m, found);
  if (m.mean_nis > 1.5) {
    found.push_back({"filter.lag", Severity::warning,
                     fmt::format("The filter lags: its innovations are {:.1f} times as large as it expects (normalised "
                                 "square {:.1f}). Let the "
                                 "intensity be chosen (\"auto\"), or check the sensors' std.",
                                 std::sqrt(m.mean_nis), m.mean_nis)});
  }
  return found;
}

std::vector<Diagnostic> diagnose_intervals(const std::vector<Result>& results, const std::string& advice) {
  std::vector<std::string> names;
  for (const Result& result : results) {
    if (!std::isfinite(result.value) || (result.std && !std::isfinite(*result.std))) names.push_back(result.name);
  }
  if (names.empty()) return {};
  return {{"fit.no_interval", Severity::error,
           fmt::format("The fit gives no interval for {}: something in it could not be solved. {}.",
                       fmt::join(names, ", "), advice)}};
}

ToldGap told_gap(const BacklashFit& fit) {
  // Coarse steps may hide a gap in the cloud that the shooting fit sees. Six standard deviations, because steps leave
  // them half as large as they should be.
  constexpr double kSeen = 6.0;
  const bool is_found = fit.is_backlash || fit.gap() > kSeen * fit.gap_std();
  return {is_found ? fit.gap() : fit.gap() + k95 * fit.gap_std(), is_found};
}

std::vector<Diagnostic> diagnose_sensors(const Log& log, const Timeline& timeline, const ToldGap& gap, double ratio) {
  std::vector<Diagnostic> found;
  for (const Channel& channel : log.channels) {
    if (channel.clipped_share > 0.0 && channel.signal != "motor.torque") {
      found.push_back({"sensor.saturated", Severity::error,
                       fmt::format("{} sits at its limit in {:.1f} % of the samples: what happened beyond is lost. "
                                   "Widen its range, or move "
                                   "less.",
                                   channel.signal, 100.0 * channel.clipped_share)});
    }
    for (const auto& sensor : timeline.sensors) {
      if (sensor.signal == channel.signal) diagnose_resolution(channel, sensor, gap, ratio, found);
    }
  }
  return found;
}

}  // namespace tauhat
