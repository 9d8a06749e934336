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

// Transposed direct form II of one section on one row. All three are apart from each other.
void run_section(const SecondOrderSection& s, std::size_t columns, double* __restrict values, double* __restrict z1,
                 double* __restrict z2) {
  for (std::size_t c = 0; c < columns; ++c) {
    const double x = values[c], y = s.b0 * x + z1[c];
    z1[c] = s.b1 * x - s.a1 * y + z2[c];
    z2[c] = s.b2 * x - s.a2 * y;
    values[c] = y;
  }
}

// One section after the other, in place; from the last row to the first where backwards.
void run(const std::vector<SecondOrderSection>& sections, std::vector<double>& rows, std::size_t columns,
         bool backwards) {
  const std::size_t count = rows.size() / columns;
  const auto row = [&](std::size_t k) { return rows.data() + (backwards ? count - 1 - k : k) * columns; };
  // Two numbers of each section and signal: where a constant input of the first value leads to, y = x in every section.
  std::vector<double> states;
  for (const SecondOrderSection& s : sections) {
    for (std::size_t c = 0; c < columns; ++c) states.push_back((1.0 - s.b0) * row(0)[c]);
    for (std::size_t c = 0; c < columns; ++c) states.push_back((s.b2 - s.a2) * row(0)[c]);
  }
  for (std::size_t k = 0; k < count; ++k) {
    for (std::size_t i = 0; i < sections.size(); ++i) {
      double* const state = states.data() + 2 * i * columns;
      run_section(sections[i], columns, row(k), state, state + columns);
    }
  }
}

// The half turn about an end:  x(-k) = 2 x(0) - x(k).
std::vector<double> continued(const std::vector<double>& rows, std::size_t columns, std::size_t by) {
  std::vector<double> longer(rows.size() + 2 * by * columns);
  const std::size_t last = rows.size() / columns - 1;
  const auto put = [&](std::size_t at, std::size_t about, std::size_t row) {
    for (std::size_t c = 0; c < columns; ++c)
      longer[at * columns + c] = 2.0 * rows[about * columns + c] - rows[row * columns + c];
  };
  for (std::size_t k = 1; k <= by; ++k) {
    put(by - k, 0, k);
    put(by + last + k, last, last - k);
  }
  std::copy(rows.begin(), rows.end(), longer.begin() + static_cast<std::ptrdiff_t>(by * columns));
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

std::size_t settling_samples(const LowPass& filter) {
  const double settled = filter.slowest_pole > 0.0 ? std::log(kSettled) / std::log(filter.slowest_pole) : 1.0;
  return static_cast<std::size_t>(std::ceil(settled)) + 1;
}

std::vector<double> filter_zero_phase(const LowPass& filter, const std::vector<double>& values) {
  return filter_zero_phase(filter, values, 1);
}

std::vector<double> filter_zero_phase(const LowPass& filter, const std::vector<double>& rows, std::size_t columns) {
  const std::size_t count = columns == 0 ? 0 : rows.size() / columns;
  if (count < 2) return rows;
  // As long as a transient lives, and no longer than the record allows.
  const std::size_t by = std::min(count - 1, settling_samples(filter));
  std::vector<double> filtered = continued(rows, columns, by);
  filter_both_ways(filter, filtered, columns);
  const auto first = filtered.begin() + static_cast<std::ptrdiff_t>(by * columns);
  return {first, first + static_cast<std::ptrdiff_t>(rows.size())};
}

void filter_both_ways(const LowPass& filter, std::vector<double>& rows, std::size_t columns) {
  if (rows.empty()) return;
  run(filter.sections, rows, columns, false);
  run(filter.sections, rows, columns, true);
}

}  // namespace tauhat
