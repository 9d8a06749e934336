// Zero-phase filters, differences and decimation against the closed forms of their gains.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "tauhat/offline/error.hpp"
#include "tauhat/offline/signal/decimate.hpp"
#include "tauhat/offline/signal/differentiate.hpp"
#include "tauhat/offline/signal/zero_phase.hpp"

namespace tauhat {
namespace {

using std::numbers::pi;
using Series = std::vector<double>;

constexpr std::size_t kSize = 12000;

// Frequencies are shares of half the sampling rate.
Series sine(double frequency, double phase = 0.3) {
  Series values(kSize);
  for (std::size_t k = 0; k < kSize; ++k) values[k] = std::sin(pi * frequency * static_cast<double>(k) + phase);
  return values;
}

Series line(double start, double slope) {
  Series values(kSize);
  for (std::size_t k = 0; k < kSize; ++k) values[k] = start + slope * static_cast<double>(k);
  return values;
}

// The largest difference of `values` from gain * reference, away from the ends where a sine's continuation has a kink.
double largest_difference(const Series& values, const Series& reference, double gain, std::size_t margin) {
  double largest = 0.0;
  for (std::size_t k = margin; k + margin < values.size(); ++k) {
    largest = std::max(largest, std::abs(values[k] - gain * reference[k]));
  }
  return largest;
}

// What the bilinear transform makes of a frequency, relative to the cut-off.
double warped(double frequency, double cut_off) {
  return std::tan(pi * frequency / 2.0) / std::tan(pi * cut_off / 2.0);
}

// Chebyshev's polynomial, inside and outside [-1, 1].
double chebyshev_polynomial(int order, double x) {
  return std::abs(x) <= 1.0 ? std::cos(order * std::acos(x)) : std::cosh(order * std::acosh(x));
}

// Side by side or alone, a signal is filtered alike.
TEST(ZeroPhase, FiltersManySignalsAsItFiltersOne) {
  const LowPass filter = butterworth_low_pass(4, 0.02);
  const std::vector<Series> signals{sine(0.01), line(2.0, 0.1), sine(0.3)};
  Series rows;
  for (std::size_t k = 0; k < kSize; ++k)
    for (const Series& signal : signals) rows.push_back(signal[k]);
  const Series together = filter_zero_phase(filter, rows, signals.size());
  for (std::size_t c = 0; c < signals.size(); ++c) {
    const Series alone = filter_zero_phase(filter, signals[c]);
    for (std::size_t k = 0; k < kSize; ++k) EXPECT_NEAR(together[k * signals.size() + c], alone[k], 1e-11);
  }
}

// Away from the ends nothing is left of how they were continued.
TEST(ZeroPhase, ForgetsItsEndsAfterTheSettlingSamples) {
  const LowPass filter = chebyshev_low_pass(8, 0.05, 0.08);
  const std::size_t margin = settling_samples(filter);
  const Series whole = filter_zero_phase(filter, sine(0.03));
  Series bare = sine(0.03);
  filter_both_ways(filter, bare, 1);
  ASSERT_GT(kSize, 3 * margin);
  EXPECT_LT(largest_difference(bare, whole, 1.0, margin), 1e-9);
  EXPECT_GT(largest_difference(bare, whole, 1.0, 0), 1e-3);
}

// |H|^2 = 1 / (1 + x^2n) of both passes together, and no phase: the sine comes out scaled, nothing else.
TEST(ZeroPhase, ButterworthScalesASineByItsSquaredGain) {
  for (const int order : {1, 2, 3, 4, 5, 8}) {
    for (const double frequency : {0.02, 0.1, 0.2, 0.35, 0.7}) {
      const double gain = 1.0 / (1.0 + std::pow(warped(frequency, 0.2), 2 * order));
      const Series filtered = filter_zero_phase(butterworth_low_pass(order, 0.2), sine(frequency));
      EXPECT_LT(largest_difference(filtered, sine(frequency), gain, 1500), 1e-10) << order << " " << frequency;
    }
  }
}

// |H|^2 = 1 / (1 + (epsilon T_n(x))^2), here scaled to one at zero frequency.
TEST(ZeroPhase, ChebyshevScalesASineByItsSquaredGain) {
  const double ripple = 0.5, squared = std::pow(10.0, ripple / 10.0) - 1.0;
  for (const int order : {1, 2, 3, 6, 7, 8}) {
    const double at_zero = 1.0 + squared * std::pow(chebyshev_polynomial(order, 0.0), 2);
    for (const double frequency : {0.02, 0.1, 0.18, 0.2, 0.25}) {
      const double gain = at_zero / (1.0 + squared * std::pow(chebyshev_polynomial(order, warped(frequency, 0.2)), 2));
      const Series filtered = filter_zero_phase(chebyshev_low_pass(order, ripple, 0.2), sine(frequency));
      EXPECT_LT(largest_difference(filtered, sine(frequency), gain, 3500), 1e-9) << order << " " << frequency;
    }
  }
}

// Also at the very ends: the continuation of a line is the line.
TEST(ZeroPhase, ConstantsAndLinesPassUnchanged) {
  for (const LowPass& filter :
       {butterworth_low_pass(4, 0.2), butterworth_low_pass(5, 0.01), chebyshev_low_pass(8, 0.05, 0.032)}) {
    EXPECT_LT(largest_difference(filter_zero_phase(filter, line(5.0, 0.0)), line(5.0, 0.0), 1.0, 0), 1e-11);
    EXPECT_LT(largest_difference(filter_zero_phase(filter, line(-3.0, 0.01)), line(-3.0, 0.01), 1.0, 0), 1e-9);
  }
}

// An impulse comes out symmetric: backwards is as forwards.
TEST(ZeroPhase, ResponseIsSymmetric) {
  Series impulse(2001, 0.0);
  impulse[1000] = 1.0;
  const Series response = filter_zero_phase(chebyshev_low_pass(5, 0.1, 0.1), impulse);
  for (std::size_t k = 0; k <= 1000; ++k) EXPECT_NEAR(response[1000 - k], response[1000 + k], 1e-13) << k;
  EXPECT_GT(response[1000], 0.05);
}

TEST(ZeroPhase, ShortRecordsAndImpossibleFilters) {
  EXPECT_EQ(filter_zero_phase(butterworth_low_pass(4, 0.2), {7.0}), Series{7.0});
  EXPECT_TRUE(filter_zero_phase(butterworth_low_pass(4, 0.2), {}).empty());
  EXPECT_NEAR(filter_zero_phase(butterworth_low_pass(4, 0.2), {7.0, 7.0, 7.0})[1], 7.0, 1e-14);
  EXPECT_THROW(butterworth_low_pass(0, 0.2), Error);
  EXPECT_THROW(butterworth_low_pass(4, 1.0), Error);
  EXPECT_THROW(butterworth_low_pass(4, std::nan("")), Error);
  EXPECT_THROW(chebyshev_low_pass(4, 0.0, 0.2), Error);
}

TEST(Differentiate, LineHasItsSlopeAndASineItsCosine) {
  const double period = 1e-3;
  for (const double rate : differentiate(line(2.0, 0.5), period)) EXPECT_NEAR(rate, 500.0, 1e-8);
  // (sin(w (k+1)) - sin(w (k-1))) / (2 T) = sin(w) / T cos(w k)
  const double omega = pi * 0.1;
  const Series rate = differentiate(sine(0.1), period), cosine = sine(0.1, 0.3 + pi / 2.0);
  EXPECT_LT(largest_difference(rate, cosine, std::sin(omega) / period, 1), 1e-9);
  EXPECT_NEAR(rate[0], (sine(0.1)[1] - sine(0.1)[0]) / period, 1e-9);
  EXPECT_EQ(differentiate({3.0}, period), Series{0.0});
}

TEST(Decimate, KeepsTheLastSampleAndEveryFactorThBeforeIt) {
  const Series values = line(0.0, 1.0);  // 0 ... 11999
  const Series kept = decimate(values, 25);
  ASSERT_EQ(kept.size(), 480U);
  EXPECT_EQ(first_decimated(values.size(), 25), 24U);
  for (std::size_t i = 0; i < kept.size(); ++i) EXPECT_NEAR(kept[i], 24.0 + 25.0 * static_cast<double>(i), 1e-6);
  EXPECT_EQ(decimate(values, 1), values);
  EXPECT_THROW(decimate(values, 0), Error);
}

// In the pass band within the ripple of two passes (0.1 dB), beyond half the new rate less than 2 %.
TEST(Decimate, PassesItsBandAndStopsAliases) {
  const int factor = 10;
  EXPECT_EQ(anti_alias(sine(0.3), 1), sine(0.3));
  for (const double frequency : {0.01, 0.04, 0.078}) {
    const Series filtered = anti_alias(sine(frequency), factor);
    EXPECT_LT(largest_difference(filtered, sine(frequency), 1.0, 3500), std::pow(10.0, 0.1 / 20.0) - 1.0 + 1e-6);
  }
  for (const double frequency : {0.1, 0.13, 0.4, 0.9}) {
    EXPECT_LT(largest_difference(anti_alias(sine(frequency), factor), sine(frequency), 0.0, 3500), 0.02) << frequency;
  }
}

}  // namespace
}  // namespace tauhat
