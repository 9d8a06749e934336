#include "tauhat/offline/signal/zero_phase.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>

#include "tauhat/offline/error.hpp"

namespace tauhat {
namespace {

using Complex = std::complex<double>;
using std::numbers::pi;

// What is left of a transient at the end of the continued ends.
constexpr double kSettled = 1e-12;

void require_possible(int order, double cut_off) {
  if (order < 1) throw Error(ExitCode::wrong_use, fmt::format("a filter of order {}: must be at least 1", order));
  const bool inside = cut_off > 0.0 && cut_off < 1.0;  // NaN is not
  if (!inside) {
    throw Error(ExitCode::wrong_use,
                fmt::format("a filter's cut-off at {:g} of half the sampling rate: must lie between 0 and 1", cut_off));
  }
}

//   s = 2 (z - 1) / (z + 1)   (sampling period 1)
Complex bilinear(Complex s) { return (2.0 + s) / (2.0 - s); }

// All zeros of these filters lie at z = -1. `pole` stands for itself and its conjugate, or is real and alone.
SecondOrderSection section_of(Complex pole, bool alone) {
  const double a1 = alone ? -pole.real() : -2.0 * pole.real();
  const double a2 = alone ? 0.0 : std::norm(pole);
  const double gain = (1.0 + a1 + a2) / (alone ? 2.0 : 4.0);  // one at z = 1
  return {gain, (alone ? 1.0 : 2.0) * gain, alone ? 0.0 : gain, a1, a2};
}

// `radius` holds the half axes of the ellipse that the prototype's poles lie on, for the cut-off 1 rad/s:
//   p_k = -real sin(theta_k) + i imaginary cos(theta_k),   theta_k = (2 k - 1) pi / (2 n)
LowPass from_ellipse(int order, Complex radius, double cut_off) {
  const double prewarped = 2.0 * std::tan(pi * cut_off / 2.0);
  LowPass filter;
  for (int k = 1; k <= (order + 1) / 2; ++k) {
    const double theta = (2.0 * k - 1.0) * pi / (2.0 * order);
    const bool alone = 2 * k == order + 1;
    const Complex prototype(-radius.real() * std::sin(theta), alone ? 0.0 : radius.imag() * std::cos(theta));
    const Complex pole = bilinear(prewarped * prototype);
    filter.sections.push_back(section_of(pole, alone));
    filter.slowest_pole = std::max(filter.slowest_pole, std::abs(pole));
  }
  return filter;
}

// Transposed direct form II, one section after the other, in place.
void run_forwards(const std::vector<SecondOrderSection>& sections, std::vector<double>& values) {
  struct State {
    double z1, z2;
  };
  // The state that a constant input of this value leads to: y = x in every section.
  std::vector<State> states;
  for (const SecondOrderSection& s : sections) {
    states.push_back({(1.0 - s.b0) * values.front(), (s.b2 - s.a2) * values.front()});
  }
  for (double& value : values) {
    for (std::size_t i = 0; i < sections.size(); ++i) {
      const SecondOrderSection& s = sections[i];
      State& state = states[i];
      const double x = value;
      value = s.b0 * x + state.z1;
      state.z1 = s.b1 * x - s.a1 * value + state.z2;
      state.z2 = s.b2 * x - s.a2 * value;
    }
  }
}

// As long as a transient lives, and no longer than the record allows.
std::size_t continuation(const LowPass& filter, std::size_t size) {
  const double settled = filter.slowest_pole > 0.0 ? std::log(kSettled) / std::log(filter.slowest_pole) : 1.0;
  return std::min(size - 1, static_cast<std::size_t>(std::ceil(settled)) + 1);
}

// The half turn about an end:  x(-k) = 2 x(0) - x(k).
std::vector<double> continued(const std::vector<double>& values, std::size_t by) {
  std::vector<double> longer;
  longer.reserve(values.size() + 2 * by);
  for (std::size_t k = by; k > 0; --k) longer.push_back(2.0 * values.front() - values[k]);
  longer.insert(longer.end(), values.begin(), values.end());
  for (std::size_t k = 1; k <= by; ++k) longer.push_back(2.0 * values.back() - values[values.size() - 1 - k]);
  return longer;
}

}  // namespace

LowPass butterworth_low_pass(int order, double cut_off) {
  require_possible(order, cut_off);
  return from_ellipse(order, {1.0, 1.0}, cut_off);
}

LowPass chebyshev_low_pass(int order, double ripple, double cut_off) {
  require_possible(order, cut_off);
  if (!(ripple > 0.0)) throw Error(ExitCode::wrong_use, fmt::format("a ripple of {:g} dB: must be positive", ripple));
  const double epsilon = std::sqrt(std::pow(10.0, ripple / 10.0) - 1.0);
  const double mu = std::asinh(1.0 / epsilon) / order;
  return from_ellipse(order, {std::sinh(mu), std::cosh(mu)}, cut_off);
}

std::vector<double> filter_zero_phase(const LowPass& filter, const std::vector<double>& values) {
  if (values.size() < 2) return values;
  const std::size_t by = continuation(filter, values.size());
  std::vector<double> filtered = continued(values, by);
  for (int pass = 0; pass < 2; ++pass) {
    run_forwards(filter.sections, filtered);
    std::reverse(filtered.begin(), filtered.end());
  }
  const auto first = filtered.begin() + static_cast<std::ptrdiff_t>(by);
  return {first, first + static_cast<std::ptrdiff_t>(values.size())};
}

}  // namespace tauhat
