#include "tauhat/offline/identify/diagnose.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace tauhat {
namespace {

double quantile(std::vector<double> values, double share) {
  if (values.empty()) return 0.0;
  const auto at = values.begin() + static_cast<std::ptrdiff_t>(share * static_cast<double>(values.size() - 1));
  std::nth_element(values.begin(), at, values.end());
  return *at;
}

// Largest autocorrelation of the residuals at lags 1 to 10, and its size in standard deviations of white noise.
void measure_whiteness(const ShootingFit& fit, BacklashMeasures& m) {
  for (const auto& row : fit.residuals) {
    double variance = 0.0, count = 0.0;
    for (const double r : row) {
      if (std::isfinite(r)) variance += r * r, count += 1.0;
    }
    if (count < 50.0) continue;
    for (std::size_t lag = 1; lag <= 10; ++lag) {
      double product = 0.0;
      for (std::size_t k = lag; k < row.size(); ++k) {
        if (std::isfinite(row[k]) && std::isfinite(row[k - lag])) product += row[k] * row[k - lag];
      }
      const double correlation = product / variance;
      if (std::abs(correlation) > std::abs(m.autocorrelation)) m.autocorrelation = correlation;
      m.whiteness = std::max(m.whiteness, std::abs(correlation) * std::sqrt(count));
    }
  }
}

void measure_contact(const BacklashFit& fit, BacklashMeasures& m) {
  std::vector<double> size, spread;
  double positive = 0.0, negative = 0.0;
  double largest = 0.0;
  for (const double tau : fit.cloud.torque) largest = std::max(largest, std::abs(tau));
  for (std::size_t i = 0; i < fit.cloud.size(); ++i) {
    const double tau = fit.cloud.torque[i], std = std::sqrt(fit.cloud.torque_variance[i]);
    const double clearly = std::max(4.0 * std, 0.05 * largest);
    if (tau > clearly) positive += 1.0;
    if (tau < -clearly) negative += 1.0;
    size.push_back(std::abs(tau));
    spread.push_back(std);
  }
  const auto n = static_cast<double>(fit.cloud.size());
  m.share_positive = positive / n;
  m.share_negative = negative / n;
  m.torque_over_noise = quantile(size, 0.9) / std::max(quantile(spread, 0.5), 1e-300);
}

Diagnostic one_sided(const BacklashFit& fit, const BacklashMeasures& m) {
  const bool upper_missing = m.share_positive < m.share_negative;
  return {"excitation.one_sided", Severity::error,
          fmt::format("The load never presses on the {} flank ({:.1f} % of the samples, {:.0f} % on the other), so the gap has only a "
                      "lower bound. Record torque of both signs, large enough to turn the load around: at least ±{:.2g} N m in the gear.",
                      upper_missing ? "upper" : "lower", 100.0 * std::min(m.share_positive, m.share_negative),
                      100.0 * std::max(m.share_positive, m.share_negative),
                      20.0 * quantile([&] {
                        std::vector<double> std;
                        for (const double v : fit.cloud.torque_variance) std.push_back(std::sqrt(v));
                        return std;
                      }(), 0.5))};
}

}  // namespace

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
  if (fit.shooting) {
    m.reduced_chi_square = fit.shooting->reduced_chi_square;
    m.dropped_share = fit.shooting->dropped_share;
    measure_whiteness(*fit.shooting, m);
    m.twist_over_gap_std = fit.displacement_range / std::max(fit.gap_std(), 1e-300);
  }
  return m;
}

std::vector<Diagnostic> diagnose(const BacklashFit& fit, const BacklashMeasures& m) {
  std::vector<Diagnostic> found;
  // One sample in two hundred is what a single bounce against a flank leaves.
  const bool one_flank = std::min(m.share_positive, m.share_negative) < 0.005;
  if (one_flank) found.push_back(one_sided(fit, m));
  // Below about ten standard deviations corner rounding takes the flanks with it (stiffness 5 % low in simulation).
  constexpr double kEnoughTorque = 10.0;
  if (!one_flank && m.torque_over_noise < kEnoughTorque) {
    found.push_back({"excitation.weak_torque", Severity::error,
                     fmt::format("The gear's torque is only {:.1f} times its standard deviation ({:.0f} are needed), so gap and "
                                 "stiffness cannot be told apart. Record with about {:.0f} times the torque, or with less sensor noise.",
                                 m.torque_over_noise, kEnoughTorque, std::ceil(kEnoughTorque / std::max(m.torque_over_noise, 0.1)))});
  }
  // Five standard deviations of a reduced chi-square, and never less than 10 %: noise is rarely known better.
  if (fit.shooting) {
    const double freedom = std::max<double>(1.0, static_cast<double>(fit.shooting->residual_count));
    const double limit = 1.0 + std::max(0.1, 5.0 * std::sqrt(2.0 / freedom));
    if (m.reduced_chi_square > limit || m.dropped_share > 0.25) {
      found.push_back({"model.misfit", Severity::error,
                       fmt::format("The model does not fit: its prediction misses the sensors by {:.2f} times their noise (chi-square {:.2f}, "
                                   "at most {:.2f}; {:.0f} % of the segments could not be fitted). Check inertias, friction, the torque's "
                                   "scale and delay, and the sensors' std; or let them be fitted.",
                                   std::sqrt(m.reduced_chi_square), m.reduced_chi_square, limit, 100.0 * m.dropped_share)});
    }
    // White residuals stay within 4.5 standard deviations at all ten lags in all but one of ten thousand records.
    if (m.whiteness > 4.5 && std::abs(m.autocorrelation) > 0.06) {
      found.push_back({"model.residuals_not_white", Severity::error,
                       fmt::format("What the model leaves is not noise: neighbouring residuals are correlated ({:+.2f}, {:.0f} standard "
                                   "deviations), so the intervals are too narrow. Something acts that the model lacks.",
                                   m.autocorrelation, m.whiteness)});
    }
  }
  if (m.drift_over_range > 0.25) {
    found.push_back({"drift.displacement", Severity::error,
                     fmt::format("Without a load sensor the displacement drifts by {:.0f} % of its range from knot to knot, more than the gap "
                                 "can be told from. Record shorter, use a better velocity signal, or measure the load.",
                                 100.0 * m.drift_over_range)});
  }
  if (m.mean_nis > 1.5) {
    found.push_back({"filter.lag", Severity::warning,
                     fmt::format("The filter lags: its innovations are {:.1f} times as large as it expects (normalised square {:.1f}). Let "
                                 "the intensity be chosen (\"auto\"), or check the sensors' std.",
                                 std::sqrt(m.mean_nis), m.mean_nis)});
  }
  return found;
}

std::vector<Diagnostic> diagnose_sensors(const BacklashFit& fit, const Log& log, double ratio) {
  std::vector<Diagnostic> found;
  for (const Channel& channel : log.channels) {
    if (channel.clipped_share > 0.001 && channel.signal != "motor.torque") {
      found.push_back({"sensor.saturated", Severity::error,
                       fmt::format("{} sits at its limit in {:.1f} % of the samples: what happened beyond is lost. Widen its range, or "
                                   "move less.", channel.signal, 100.0 * channel.clipped_share)});
    }
    const bool is_position = channel.signal.ends_with(".position");
    const double at_load = channel.signal.starts_with("motor.") ? channel.resolution / ratio : channel.resolution;
    if (is_position && fit.gap() > 0.0 && at_load > 0.5 * fit.gap()) {
      found.push_back({"sensor.coarse", Severity::error,
                       fmt::format("One step of {} is {:.3g} rad at the load, and the gap {:.3g} rad: too coarse to see it. Use a finer "
                                   "encoder, or the velocity of the drive's own observer.", channel.signal, at_load, fit.gap())});
    }
    const bool is_velocity = channel.signal.ends_with(".velocity");
    if (is_velocity && channel.resolution > 0.0) {
      const auto sensor = fit.shooting_problem ? std::find_if(fit.shooting_problem->timeline->sensors.begin(),
                                                              fit.shooting_problem->timeline->sensors.end(),
                                                              [&](const auto& s) { return s.signal == channel.signal; })
                                               : std::vector<Timeline::Sensor>::const_iterator{};
      // Rounding is noise as long as the noise spans the steps; a step of four standard deviations is not dithered any more.
      if (fit.shooting_problem && sensor != fit.shooting_problem->timeline->sensors.end() &&
          channel.resolution >= std::sqrt(12.0) * std::sqrt(sensor->variance) * 0.999) {
        found.push_back({"sensor.coarse", Severity::error,
                         fmt::format("{} moves in steps of {:.3g} rad/s, coarser than its noise: rounding hides the motion inside the gap. "
                                     "Record it with more digits, or from a finer encoder.", channel.signal, channel.resolution)});
      }
    }
  }
  return found;
}

}  // namespace tauhat
