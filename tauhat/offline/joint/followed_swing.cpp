#include "tauhat/offline/joint/followed_swing.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "tauhat/core/linear/solve.hpp"
#include "tauhat/offline/joint/error_response.hpp"

namespace tauhat {
namespace {

using Complex = std::complex<double>;

constexpr double kLowest = 2.0, kHighest = 100.0;  // Hz: joints of robots ring in between
double highest(const ModelAxes& model) { return std::min(kHighest, 0.25 / model.period); }

Complex z_at(double frequency, double period) { return std::polar(1.0, 2.0 * std::numbers::pi * frequency * period); }

// What a torque at the axis' motor does: (z - Phi)^-1 Gamma
Eigen::VectorXcd shaken(const ModelAxes& model, std::size_t axis, Complex z) {
  Eigen::MatrixXcd resolvent = -model.step.transition.cast<Complex>();
  resolvent.diagonal().array() += z;
  return solve<Complex, Eigen::Dynamic, 1>(resolvent,
                                           model.step.by_input.col(static_cast<Eigen::Index>(axis)).cast<Complex>());
}

// Of the link, and by the estimate.
struct Velocities {
  Complex link, estimated;
};
Velocities velocities(const ModelAxes& model, std::size_t axis, double frequency, const EstimateAt& estimate) {
  const Complex z = z_at(frequency, model.period);
  const Eigen::VectorXcd x = shaken(model, axis, z);
  Eigen::VectorXcd positions(static_cast<Eigen::Index>(model.count()));
  for (std::size_t i = 0; i < model.count(); ++i)
    positions[static_cast<Eigen::Index>(i)] = x[model.axes[i].motor_position];
  return {x[model.axes[axis].load_velocity], estimate(z, positions)};
}

// s = arg min integral |v - e^(i w s) v^|^2 df = arg max Re integral v* v^ e^(i w s) df
double delay_of(const ModelAxes& model, std::size_t axis, const EstimateAt& estimate) {
  constexpr double kStep = 0.25;     // Hz, finer than a resonance is wide
  constexpr double kLongest = 0.02;  // s, as for a delay by a reference
  std::vector<double> frequency;
  std::vector<Complex> together;
  for (double f = kLowest; f <= highest(model); f += kStep) {
    const Velocities both = velocities(model, axis, f, estimate);
    frequency.push_back(f), together.push_back(std::conj(both.link) * both.estimated);
  }
  const auto likeness = [&](int shift) {
    double sum = 0.0;
    for (std::size_t i = 0; i < frequency.size(); ++i)
      sum += (together[i] * z_at(frequency[i], shift * model.period)).real();
    return sum;
  };
  const int longest = static_cast<int>(kLongest / model.period);
  int best = 0;
  double most = likeness(0);
  for (int shift = -longest; shift <= longest; ++shift)
    if (const double value = likeness(shift); value > most) most = value, best = shift;
  // Between samples by a parabola.
  const double before = likeness(best - 1), after = likeness(best + 1), bend = before - 2.0 * most + after;
  return (best + (bend < 0.0 ? 0.5 * (before - after) / bend : 0.0)) * model.period;
}

}  // namespace

FollowedSwing followed_swing(const ModelAxes& model, std::size_t axis, double resonance, const EstimateAt& estimate) {
  const Velocities both = velocities(model, axis, resonance, estimate);
  return {resonance, both.estimated / both.link, delay_of(model, axis, estimate)};
}

EstimateAt naive_estimate(const ModelAxes& model, std::size_t axis) {
  return [axis, ratio = model.axes[axis].ratio, period = model.period](Complex z, const Eigen::VectorXcd& positions) {
    return (z - 1.0 / z) / (2.0 * period) * positions[static_cast<Eigen::Index>(axis)] / ratio;
  };
}

double most_swung(const ModelAxes& model, std::size_t axis) {
  constexpr std::size_t kFrequencies = 200;  // two per cent apart, a resonance is wider
  double resonance = 0.0, most = 0.0;
  for (const double frequency : spread_frequencies(kLowest, highest(model), kFrequencies)) {
    const Complex velocity = shaken(model, axis, z_at(frequency, model.period))[model.axes[axis].load_velocity];
    // Of a rigid axis the velocity falls with the frequency: what stands out of that is a swing.
    if (frequency * std::abs(velocity) > most) most = frequency * std::abs(velocity), resonance = frequency;
  }
  return resonance;
}

}  // namespace tauhat
