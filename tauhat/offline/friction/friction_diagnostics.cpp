#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tauhat/offline/friction/identify_friction.hpp"
#include "tauhat/offline/quantile.hpp"

namespace tauhat {

double largest_autocorrelation(const std::vector<double>& values) {
  double square = 0.0, largest = 0.0;
  for (const double v : values) square += v * v;
  for (std::size_t lag = 1; lag <= 10 && lag < values.size(); ++lag) {
    double product = 0.0;
    for (std::size_t k = lag; k < values.size(); ++k) product += values[k] * values[k - lag];
    if (std::abs(product / square) > std::abs(largest)) largest = product / square;
  }
  return largest;
}

namespace {

// |friction| while the axis speeds up, less that while it slows down, at middle speeds; by the smoother, because a
// filter lags and so draws a loop of its own.
void measure_hysteresis(const FrictionFit& fit, FrictionMeasures& m) {
  const auto& v = fit.blind.velocity.value;
  std::vector<double> speeds;
  for (const double each : v) speeds.push_back(std::abs(each));
  const double low = quantile(speeds, 0.3), high = quantile(speeds, 0.9);
  double sum[2] = {0, 0}, count[2] = {0, 0}, square = 0.0;
  for (std::size_t k = 1; k + 1 < v.size(); ++k) {
    const double speed = std::abs(v[k]);
    if (speed < low || speed > high) continue;
    const std::size_t side = (v[k + 1] - v[k - 1]) * v[k] > 0.0 ? 0 : 1;
    sum[side] += std::abs(fit.blind.friction.value[k]), count[side] += 1.0;
    square += std::pow(fit.blind.friction.std[k], 2);
  }
  if (count[0] < 10.0 || count[1] < 10.0) return;
  const double up = sum[0] / count[0], down = sum[1] / count[1], mean = 0.5 * (up + down);
  m.hysteresis = (up - down) / std::max(mean, 1e-300);
  // Neighbouring estimates are alike: no better than one independent estimate for each stretch between reversals.
  const double stretches = static_cast<double>(std::max<std::size_t>(m.reversals, 1));
  m.hysteresis_std = std::sqrt(square / (count[0] + count[1]) / stretches) / std::max(mean, 1e-300);
}

// What the law does not describe of the friction that the blind smoother saw, beyond its noise; where the axis clearly
// moves. The law's friction is the parametric smoother's, which bends its bristles before they slide.
double misfit_of(const FrictionFit& fit) {
  const std::vector<double>& law = fit.parametric.smoothed_friction.value;
  double off = 0.0, noise = 0.0, size = 0.0;
  for (std::size_t k = 0; k < fit.blind.velocity.value.size(); ++k) {
    const double v = fit.blind.velocity.value[k], f = fit.blind.friction.value[k];
    if (std::abs(v) < 2.0 * fit.blind_options.reversal_speed) continue;
    off += std::pow(f - law[k], 2), noise += std::pow(fit.blind.friction.std[k], 2), size += f * f;
  }
  return size > 0.0 ? std::sqrt(std::max(off - noise, 0.0) / size) : 0.0;
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
  m.misfit = misfit_of(fit);
  m.fastest = quantile(speeds, 0.99);
  m.left_of_excess = fit.law.left_at(m.fastest);
  m.mean_nis = fit.parametric.mean_nis;
  m.autocorrelation = largest_autocorrelation(fit.parametric.innovations);
  measure_hysteresis(fit, m);
  return m;
}

std::vector<Diagnostic> diagnose(const FrictionFit& fit, const FrictionMeasures& m) {
  std::vector<Diagnostic> found;
  const auto add = [&](const char* name, Severity severity, std::string message) {
    found.push_back({name, severity, std::move(message)});
  };
  if (m.travel_over_noise < 50.0) {
    add("excitation.no_motion", Severity::error,
        fmt::format("The axis hardly moves: its travel is {:.3g} times the noise of its position. Record a motion over "
                    "its working range, forth and back.",
                    m.travel_over_noise));
    return found;
  }
  if (m.reversals == 0)
    add("excitation.no_reversal", Severity::error,
        "The axis never turns back, so friction cannot be told from a constant force. Record motion in both "
        "directions, several times.");
  if (m.friction_over_noise < 2.0)
    add("friction.below_noise", Severity::error,
        fmt::format("The friction found is only {:.2g} times its own uncertainty. Record more slowly, with a finer "
                    "position sensor, or longer.",
                    m.friction_over_noise));
  if (m.speed_spread < 0.2)
    add("excitation.one_speed", Severity::error,
        fmt::format(
            "The axis moves at one speed only (its speeds spread by {:.0f} %), so how friction depends on speed "
            "cannot be seen. Record at least three speeds, from slow to the fastest.",
            100.0 * m.speed_spread));
  if (!fit.candidates.front().separable)
    add("law.not_separable", Severity::error,
        fmt::format("This motion cannot tell the parameters of any law apart. Of the nearest, {}: {}.",
                    name_of(fit.law.kind), fit.candidates.front().why));
  for (const UntoldParameter& each : fit.untold)
    add("law.not_separable", Severity::error,
        fmt::format("{}: the record hardly tells more of it than was known before; {}.", each.name, each.why));
  if (fit.parametric.diverged)
    add("filter.diverged", Severity::error,
        "The filter with the chosen law diverged. Check the axis' mass, the units and the sign of the force.");
  if (m.misfit > 0.1)
    add("law.none_fits", Severity::error,
        fmt::format(
            "None of the laws describes this friction: the best, {}, is {:.0f} % off what the blind smoother saw. "
            "Look at its curve; check mass, gravity and the force's scale, and whether friction depends on "
            "position or load.",
            name_of(fit.law.kind), 100.0 * m.misfit));
  // An exponential falls so far over two of its lengths: with less, a line fits about as well.
  constexpr double kNotYetFallen = 0.15;
  if (m.left_of_excess > kNotYetFallen)
    add("law.extrapolated", Severity::warning,
        fmt::format(
            "Up to the fastest speed, {:.3g} rad/s (or m/s), the law's excess has fallen to {:.0f} % of what it is at "
            "standstill: its level at speed (coulomb) and the excess are extrapolated, and only their sum "
            "along the curve is what was measured. Record faster, or read the curve.",
            m.fastest, 100.0 * m.left_of_excess));
  // A filter that is right leaves white innovations of the assumed size. The intervals are widened by what they are
  // not; beyond some point that is no answer any more.
  const double r = std::abs(m.autocorrelation);
  if (m.mean_nis > 4.0 || r > 0.8)
    add("filter.inconsistent", Severity::error,
        fmt::format("The innovations are {:.2g} times as large as they should be, and alike from sample to sample by "
                    "{:.2f}: the intervals cannot be trusted. Check the sensor's std, the mass and the sample times.",
                    std::sqrt(m.mean_nis), m.autocorrelation));
  else if (m.mean_nis > 1.5 || r > 0.2)
    add("filter.coloured", Severity::warning,
        fmt::format("The innovations are {:.2g} times as large as they should be, and alike from sample to sample by "
                    "{:.2f}; {}.",
                    std::sqrt(m.mean_nis), m.autocorrelation,
                    m.mean_nis > 1.0 || m.autocorrelation > 0.0
                        ? "the intervals were widened by as much"
                        : "less noise was seen than assumed, and the intervals are rather too wide"));
  return found;
}

}  // namespace tauhat
