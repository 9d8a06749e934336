#include "tauhat/offline/joint/velocity_quality.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <numbers>

#include "tauhat/offline/signal/differentiate.hpp"
#include "tauhat/offline/signal/zero_phase.hpp"

namespace tauhat {
namespace {

double root_mean_square(const std::vector<double>& values) {
  double sum = 0.0;
  for (const double v : values) sum += v * v;
  return values.empty() ? 0.0 : std::sqrt(sum / static_cast<double>(values.size()));
}

// Both where both are known.
struct Pair {
  std::vector<double> reference, estimate;
};
Pair known_pairs(const std::vector<double>& reference, const std::vector<double>& estimate, std::size_t first) {
  Pair pair;
  for (std::size_t k = first; k < std::min(reference.size(), estimate.size()); ++k) {
    if (!std::isfinite(reference[k]) || !std::isfinite(estimate[k])) continue;
    pair.reference.push_back(reference[k]), pair.estimate.push_back(estimate[k]);
  }
  return pair;
}

// Where the reference is slow for a whole window about the sample.
std::optional<double> standstill_error(const Pair& pair, double period, const QualityOptions& options) {
  double fastest = 0.0;
  for (const double v : pair.reference) fastest = std::max(fastest, std::abs(v));
  const double slow = options.standstill_speed > 0.0 ? options.standstill_speed : fastest / 500.0;
  const auto window = static_cast<std::size_t>(std::lround(options.standstill_window / period));
  std::vector<double> errors;
  std::size_t run = 0;
  for (std::size_t k = 0; k < pair.reference.size(); ++k) {
    run = std::abs(pair.reference[k]) < slow ? run + 1 : 0;
    if (run < window) continue;
    // The first whole window counts from its begin.
    for (std::size_t i = run == window ? k + 1 - window : k; i <= k; ++i)
      errors.push_back(pair.estimate[i] - pair.reference[i]);
  }
  if (errors.empty()) return std::nullopt;
  return root_mean_square(errors);
}

// Mean square of what is left when the estimate is shifted back.
double misfit_at(const Pair& pair, int shift) {
  double sum = 0.0;
  const auto n = static_cast<std::ptrdiff_t>(pair.reference.size());
  const std::ptrdiff_t first = std::max<std::ptrdiff_t>(0, -shift), last = std::min(n, n - shift);
  for (std::ptrdiff_t k = first; k < last; ++k)
    sum +=
        std::pow(pair.reference[static_cast<std::size_t>(k)] - pair.estimate[static_cast<std::size_t>(k + shift)], 2);
  return sum / static_cast<double>(last - first);
}

// The shift at which both are nearest, between samples by a parabola.
double delay_of(const Pair& pair, double period) {
  constexpr double kLongest = 0.02;  // s: an observer that is later is of no use anyway
  const int longest = std::min(static_cast<int>(kLongest / period), static_cast<int>(pair.reference.size()) / 4);
  int best = 0;
  double least = std::numeric_limits<double>::infinity();
  for (int shift = -longest; shift <= longest; ++shift) {
    const double value = misfit_at(pair, shift);
    if (value < least) least = value, best = shift;
  }
  const double before = misfit_at(pair, best - 1), after = misfit_at(pair, best + 1);
  const double bend = before - 2.0 * least + after;
  const double between = bend > 0.0 ? 0.5 * (before - after) / bend : 0.0;
  return (best + between) * period;
}

std::complex<double> line_at(const std::vector<double>& values, double frequency, double period) {
  std::complex<double> sum;
  const auto n = static_cast<double>(values.size());
  for (std::size_t k = 0; k < values.size(); ++k) {
    const double t = static_cast<double>(k), hann = 0.5 - 0.5 * std::cos(2.0 * std::numbers::pi * t / n);
    sum += hann * values[k] * std::polar(1.0, -2.0 * std::numbers::pi * frequency * period * t);
  }
  return sum / (0.5 * n);
}

std::optional<double> phase_lag_at(const Pair& pair, double frequency, double period) {
  const std::complex<double> v = line_at(pair.reference, frequency, period);
  // Where the link does not swing, its phase is that of noise: below a thousandth of its motion.
  if (std::abs(v) < 1e-3 * root_mean_square(pair.reference)) return std::nullopt;
  return -std::arg(line_at(pair.estimate, frequency, period) / v);
}

}  // namespace

double fit_percent(const std::vector<double>& truth, const std::vector<double>& estimate, std::size_t first) {
  const Pair pair = known_pairs(truth, estimate, first);
  double mean = 0.0, error = 0.0, spread = 0.0;
  for (const double v : pair.reference) mean += v / static_cast<double>(pair.reference.size());
  for (std::size_t k = 0; k < pair.reference.size(); ++k) {
    error += std::pow(pair.reference[k] - pair.estimate[k], 2);
    spread += std::pow(pair.reference[k] - mean, 2);
  }
  return 100.0 * (1.0 - std::sqrt(error / spread));
}

double delay_between(const std::vector<double>& reference, const std::vector<double>& estimate, std::size_t first,
                     double period) {
  return delay_of(known_pairs(reference, estimate, first), period);
}

std::vector<double> shifted(const std::vector<double>& values, double later, double period) {
  std::vector<double> result;
  for (std::size_t k = 0; k < values.size(); ++k) {
    const double at = std::clamp(static_cast<double>(k) - later / period, 0.0, static_cast<double>(values.size() - 1));
    const auto before = static_cast<std::size_t>(at), after = std::min(before + 1, values.size() - 1);
    const double part = at - static_cast<double>(before);
    result.push_back((1.0 - part) * values[before] + part * values[after]);
  }
  return result;
}

VelocityQuality judge_velocity(const std::vector<double>& estimate, const std::vector<double>* reference, double period,
                               const QualityOptions& options) {
  const auto first = static_cast<std::size_t>(std::ceil(options.settling / period));
  VelocityQuality quality;
  const Pair alone = known_pairs(estimate, estimate, first);
  if (options.noise_from < 0.4 / period && alone.estimate.size() > 100) {
    std::vector<double> fast =
        filter_zero_phase(butterworth_low_pass(4, 2.0 * options.noise_from * period), alone.estimate);
    for (std::size_t k = 0; k < fast.size(); ++k) fast[k] = alone.estimate[k] - fast[k];
    quality.noise = root_mean_square(fast);
  }
  if (!reference) return quality;
  const Pair pair = known_pairs(*reference, estimate, first);
  std::vector<double> errors;
  for (std::size_t k = 0; k < pair.reference.size(); ++k) errors.push_back(pair.estimate[k] - pair.reference[k]);
  auto& error = quality.error.emplace();
  error.fit = fit_percent(*reference, estimate, first);
  error.rms = root_mean_square(errors);
  error.standstill = standstill_error(pair, period, options);
  error.delay = delay_of(pair, period);
  if (options.resonance > 0.0) error.phase_lag = phase_lag_at(pair, options.resonance, period);
  return quality;
}

std::vector<double> without_holes(std::vector<double> values) {
  const auto known = std::find_if(values.begin(), values.end(), [](double v) { return std::isfinite(v); });
  double last = known == values.end() ? 0.0 : *known;
  for (double& value : values) value = last = std::isfinite(value) ? value : last;
  return values;
}

std::vector<double> encoder_velocity(const std::vector<double>& load_position, double period) {
  constexpr double kCutOff = 80.0;  // Hz: above the joints of any robot
  if (kCutOff * 2.0 * period >= 0.8) return differentiate(load_position, period);
  return differentiate(filter_zero_phase(butterworth_low_pass(2, kCutOff * 2.0 * period), load_position), period);
}

std::vector<double> central_velocity(const std::vector<double>& motor_position, double ratio, double period) {
  std::vector<double> velocity = differentiate(motor_position, period);
  for (double& v : velocity) v /= ratio;
  return velocity;
}

std::vector<double> backward_velocity(const std::vector<double>& motor_position, double ratio, double period) {
  std::vector<double> velocity(motor_position.size(), std::numeric_limits<double>::quiet_NaN());
  for (std::size_t k = 1; k < velocity.size(); ++k)
    velocity[k] = (motor_position[k] - motor_position[k - 1]) / (ratio * period);
  return velocity;
}

}  // namespace tauhat
