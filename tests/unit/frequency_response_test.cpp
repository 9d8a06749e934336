// Frequency responses against a resonator whose response is known:
//   y_k = 2 r cos(a) y_{k-1} - r^2 y_{k-2} + u_{k-1},   G = z / (z^2 - 2 r cos(a) z + r^2),   z = exp(2 pi i f h)
#include "tauhat/offline/joint/frequency_response.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "support/bands.hpp"
#include "tauhat/offline/error.hpp"
#include "tauhat/offline/simulate/excitation.hpp"
#include "tauhat/offline/simulate/random.hpp"

namespace tauhat {
namespace {

using std::numbers::pi;
using Series = std::vector<double>;
using Complex = std::complex<double>;

constexpr double kPeriod = 1e-3, kRadius = 0.98, kAngle = 2.0 * pi * 20.0 * kPeriod;  // resonance at 20 Hz

Complex exact(double frequency) {
  const Complex z = std::polar(1.0, 2.0 * pi * frequency * kPeriod);
  return z / (z * z - 2.0 * kRadius * std::cos(kAngle) * z + kRadius * kRadius);
}

// Noise at the output; with feedback it comes back through the input:  u_k = w_k - feedback (y_k + noise).
struct Recorded {
  Series injected, input, output;
};
Recorded resonator(const Series& injected, double noise, double feedback, std::uint64_t seed) {
  Random random(seed, "noise");
  Recorded run{injected, Series(injected.size()), Series(injected.size())};
  double y = 0.0, before = 0.0;
  for (std::size_t k = 0; k < injected.size(); ++k) {
    run.output[k] = y + noise * random.normal();
    run.input[k] = injected[k] - feedback * run.output[k];
    const double next = 2.0 * kRadius * std::cos(kAngle) * y - kRadius * kRadius * before + run.input[k];
    before = y, y = next;
  }
  return run;
}

Series random_bits(std::size_t rows, std::uint64_t seed) {
  Excitation excitation;
  excitation.kind = Excitation::Kind::prbs;
  excitation.amplitude = 1.0, excitation.hold = kPeriod;
  return excite(excitation, {rows, kPeriod}, seed);
}

// Tones at 2, 3, ... 60 Hz: one period a second.
Series multisine(std::size_t periods, std::uint64_t seed) {
  Excitation excitation;
  excitation.kind = Excitation::Kind::multisine;
  excitation.amplitude = 1.0, excitation.lowest = 2.0, excitation.highest = 60.0, excitation.lines = 59;
  return excite(excitation, {periods * 1000, kPeriod}, seed);
}
constexpr MultisineOptions kMultisine{.period = kPeriod, .repetition = 1.0, .dropped = 1, .band = {}};

// |ln(G / exact)|^2 over its variance, on average: one where the stated deviations are right.
double mean_square_error(const FrequencyResponse& response) {
  double sum = 0.0;
  for (std::size_t i = 0; i < response.size(); ++i) {
    const Complex error = std::log(response.gain[i] / exact(response.frequency[i]));
    sum += std::norm(error) / (2.0 * std::pow(response.relative_std[i], 2));
  }
  return sum / static_cast<double>(response.size());
}

double largest_error(const FrequencyResponse& response) {
  double largest = 0.0;
  for (std::size_t i = 0; i < response.size(); ++i) {
    largest = std::max(largest, std::abs(response.gain[i] / exact(response.frequency[i]) - 1.0));
  }
  return largest;
}

TEST(MultisineResponse, IsExactWithoutNoise) {
  const Recorded run = resonator(multisine(4, 3), 0.0, 0.0, 1);
  const FrequencyResponse response = multisine_response(run.input, run.output, {}, kMultisine);
  ASSERT_EQ(response.size(), 59U);
  EXPECT_DOUBLE_EQ(response.frequency.front(), 2.0);
  EXPECT_LT(largest_error(response), 1e-8);  // what is left of the start: 0.98^1000
  EXPECT_GT(response.coherence[30], 1.0 - 1e-9);
}

// 40 periods, 59 lines: the normalised square of the error is one within what chi-square allows; the deviation itself
// is estimated from 40 periods, which widens it by a factor 39/38.
TEST(MultisineResponse, StatesItsDeviation) {
  const Recorded run = resonator(multisine(41, 5), 2.0, 0.0, 2);
  const FrequencyResponse response = multisine_response(run.input, run.output, run.injected, kMultisine);
  EXPECT_THAT(mean_square_error(response) * 2.0, Within999(2.0, 59.0));
}

// In closed loop the input follows the noise: the injected signal does not, and what it is correlated with has no bias.
TEST(MultisineResponse, HasNoBiasInClosedLoopWhereTheInjectedSignalIsKnown) {
  const Recorded run = resonator(multisine(41, 5), 4.0, 0.05, 2);
  const FrequencyResponse by_injected = multisine_response(run.input, run.output, run.injected, kMultisine);
  EXPECT_THAT(mean_square_error(by_injected) * 2.0, Within999(2.0, 59.0));
}

// A position may drift besides: the line is taken away, and what repeats itself is left alone.
TEST(MultisineResponse, TakesADriftAway) {
  Recorded run = resonator(multisine(4, 3), 0.0, 0.0, 1);
  for (std::size_t k = 0; k < run.output.size(); ++k) run.output[k] += 7.0 + 0.3 * static_cast<double>(k);
  EXPECT_LT(largest_error(multisine_response(run.input, run.output, run.injected, kMultisine)), 1e-8);
}

TEST(MultisineResponse, LosesCoherenceWithNoise) {
  double before = 1.0;
  for (const double noise : {0.1, 3.0, 30.0}) {
    const Recorded run = resonator(multisine(9, 5), noise, 0.0, 2);
    const FrequencyResponse response = multisine_response(run.input, run.output, run.injected, kMultisine);
    const double coherence = mean_of(response.coherence);
    EXPECT_LT(coherence, before) << noise;
    before = coherence;
  }
}

TEST(MultisineResponse, RefusesWhatItCannotAnswer) {
  const Recorded run = resonator(multisine(2, 5), 0.1, 0.0, 2);
  EXPECT_THROW(multisine_response(run.input, run.output, {}, kMultisine), Error);  // one period is left
  EXPECT_THROW(multisine_response(run.input, Series(7), {}, kMultisine), Error);
  MultisineOptions uneven = kMultisine;
  uneven.repetition = 0.99953;
  EXPECT_THROW(multisine_response(run.input, run.output, {}, uneven), Error);
  MultisineOptions silent = kMultisine;
  silent.dropped = 0, silent.band = {100.0, 200.0};
  EXPECT_THROW(multisine_response(run.input, run.output, {}, silent), Error);
}

// Segments of 2 s resolve the resonance, whose width is 6 Hz; 300 s give 299 segments that overlap.
TEST(BroadbandResponse, StatesItsDeviation) {
  const Recorded run = resonator(random_bits(300'000, 4), 5.0, 0.0, 3);
  const FrequencyResponse response =
      broadband_response(run.input, run.output, {.period = kPeriod, .resolution = 0.5, .band = {4.0, 100.0}});
  // Hann's window couples a line to its two neighbours: every third is on its own.
  EXPECT_THAT(mean_square_error(response) * 2.0, Within999(2.0, static_cast<double>(response.size()) / 3.0));
}

// Of the exact response, what a window makes of it.
Complex rounded_alike(const FrequencyResponse& response, std::size_t line) {
  Complex sum = 0.0;
  const FrequencyResponse::Mixture& mixture = response.mixture[line];
  for (std::size_t i = 0; i < mixture.place.size(); ++i)
    sum += mixture.weight[i] * exact(response.grid[mixture.place[i]]);
  return sum;
}

// Windows of a third of a second round a resonance that is 6 Hz wide; rounded alike, the exact one agrees, under random
// bits as under tones, between which there is nothing.
TEST(BroadbandResponse, SaysWhatEachLineIsAMeanOf) {
  for (const Series& input : {random_bits(600'000, 4), multisine(200, 5)}) {
    const Recorded run = resonator(input, 0.0, 0.0, 3);
    const FrequencyResponse response =
        broadband_response(run.input, run.output, {.period = kPeriod, .resolution = 3.0, .band = {10.0, 40.0}});
    double plain = 0.0, alike = 0.0;
    for (std::size_t i = 0; i < response.size(); ++i) {
      plain = std::max(plain, std::abs(std::log(response.gain[i] / exact(response.frequency[i]))));
      alike = std::max(alike, std::abs(std::log(response.gain[i] / rounded_alike(response, i))));
    }
    EXPECT_GT(plain, 0.1);
    EXPECT_LT(alike, 0.35 * plain);
  }
}

TEST(BroadbandResponse, LeavesOutWhatIsToBeAvoided) {
  Recorded run = resonator(random_bits(60'000, 4), 0.0, 0.0, 3);
  std::vector<std::size_t> bad;
  for (std::size_t k = 9'000; k < 60'000; k += 10'000) {
    bad.push_back(k);
    for (std::size_t i = k; i < k + 20; ++i) run.output[i] += 500.0;
  }
  BroadbandOptions options{.period = kPeriod, .resolution = 0.5, .band = {10.0, 40.0}};
  const FrequencyResponse with = broadband_response(run.input, run.output, options);
  options.avoid = bad;
  const FrequencyResponse without = broadband_response(run.input, run.output, options);
  EXPECT_TRUE(without.avoided);
  EXPECT_LT(largest_error(without), 0.3 * largest_error(with));
}

// Between turns that are 1.5 s apart no segment of 2 s has room; those of 1 s have. Fewer and coarser lines, which know
// less each.
TEST(BroadbandResponse, ShortensItsSegmentsToAvoid) {
  Recorded run = resonator(random_bits(30'000, 4), 5.0, 0.0, 3);
  BroadbandOptions options{.period = kPeriod, .resolution = 0.5, .band = {10.0, 40.0}};
  for (std::size_t k = 700; k < 30'000; k += 1'500) {
    options.avoid.push_back(k);
    for (std::size_t i = k; i < k + 20; ++i) run.output[i] += 500.0;
  }
  const FrequencyResponse with = broadband_response(run.input, run.output, options);
  EXPECT_FALSE(with.avoided);
  options.coarsest = 1.0;
  const FrequencyResponse without = broadband_response(run.input, run.output, options);
  EXPECT_TRUE(without.avoided);
  EXPECT_EQ(without.resolution, 1.0);
  EXPECT_EQ(without.size(), 31u);
  EXPECT_LT(largest_error(without), 0.5 * largest_error(with));
  // The window is a sixth as wide as the resonance: a little of the error is its rounding.
  EXPECT_LT(mean_square_error(without), 2.0);
}

// The tones of a multisine beat alike in every period: ten times as many periods tell no more of that.
TEST(BroadbandResponse, CountsWhatRepeatsItselfOnce) {
  const BroadbandOptions options{.period = kPeriod, .resolution = 3.0, .band = {10.0, 40.0}};
  const auto deviation = [&](std::size_t periods) {
    const Recorded run = resonator(multisine(periods, 5), 0.0, 0.0, 3);
    return broadband_response(run.input, run.output, options).relative_std[2];
  };
  EXPECT_GT(deviation(200), 0.8 * deviation(20));
}

// Tones up to 60 Hz in closed loop: above, noise alone moves the output, and the controller answers it. What is seen
// there is -1 / controller, with a coherence that lets it pass.
TEST(BroadbandResponse, LeavesOutWhatIsNotExcited) {
  const double feedback = 0.01;
  const Recorded run = resonator(multisine(60, 5), 0.5, feedback, 3);
  BroadbandOptions options{.period = kPeriod, .resolution = 0.5, .band = {4.0, 100.0}};
  const FrequencyResponse all = coherent_part(broadband_response(run.input, run.output, options));
  EXPECT_EQ(all.frequency.back(), 100.0);
  EXPECT_NEAR(std::abs(all.gain.back() + 1.0 / feedback), 0.0, 1.0);
  options.excited = 0.01;
  const FrequencyResponse excited = coherent_part(broadband_response(run.input, run.output, options));
  EXPECT_GE(excited.frequency.back(), 60.0);
  EXPECT_LE(excited.frequency.back(), 61.0);
  EXPECT_LE(excited.frequency.front(), 5.0);
}

TEST(BroadbandResponse, UsesEverythingWhereTooLittleIsLeft) {
  const Recorded run = resonator(random_bits(20'000, 4), 0.0, 0.0, 3);
  BroadbandOptions options{.period = kPeriod, .resolution = 0.5, .band = {10.0, 40.0}};
  const FrequencyResponse all = broadband_response(run.input, run.output, options);
  for (std::size_t k = 0; k < 20'000; k += 1'000) options.avoid.push_back(k);
  const FrequencyResponse same = broadband_response(run.input, run.output, options);
  EXPECT_FALSE(same.avoided);
  EXPECT_EQ(same.gain, all.gain);
}

TEST(BroadbandResponse, FollowsAChirp) {
  Excitation excitation;
  excitation.kind = Excitation::Kind::chirp;
  excitation.amplitude = 1.0, excitation.lowest = 1.0, excitation.highest = 80.0;
  const Recorded run = resonator(excite(excitation, {200'000, kPeriod}, 1), 0.0, 0.0, 3);
  const FrequencyResponse response =
      broadband_response(run.input, run.output, {.period = kPeriod, .resolution = 0.25, .band = {5.0, 70.0}});
  EXPECT_LT(largest_error(response), 0.03);  // the window is as wide as a tenth of the resonance
}

// coherence = signal / (signal + noise) of the output's power.
TEST(BroadbandResponse, KnowsTheShareOfNoise) {
  const double noise = 20.0;
  const Recorded run = resonator(random_bits(300'000, 4), noise, 0.0, 3);
  const FrequencyResponse response =
      broadband_response(run.input, run.output, {.period = kPeriod, .resolution = 1.0, .band = {4.0, 100.0}});
  for (std::size_t i = 0; i < response.size(); i += 10) {
    const double signal = std::norm(exact(response.frequency[i]));
    EXPECT_NEAR(response.coherence[i], signal / (signal + noise * noise), 0.08) << response.frequency[i];
  }
}

TEST(BroadbandResponse, RefusesARecordThatIsTooShort) {
  EXPECT_THROW(broadband_response(Series(100, 1.0), Series(100, 1.0), {.period = kPeriod, .resolution = 1.0}), Error);
}

TEST(AverageResponses, IsTheMeanOfLogarithms) {
  const FrequencyResponse a{{10.0}, {std::polar(2.0, 3.1)}, {0.1}, {1.0}};
  const FrequencyResponse b{{10.0}, {std::polar(8.0, -3.1)}, {0.1}, {0.8}};  // across the jump of the phase
  const FrequencyResponse mean = average_responses({a, b});
  EXPECT_NEAR(std::abs(mean.gain[0] - Complex(-4.0, 0.0)), 0.0, 1e-12);
  EXPECT_NEAR(mean.coherence[0], 0.9, 1e-12);
  // The runs differ by more than their deviations: |ln 4| and 0.083 rad between two runs.
  EXPECT_NEAR(mean.relative_std[0], std::sqrt((std::pow(std::log(4.0), 2) + std::pow(2.0 * (pi - 3.1), 2)) / 8.0),
              1e-12);
  EXPECT_NEAR(average_responses({a, a}).relative_std[0], 0.1 / std::sqrt(2.0), 1e-12);
}

}  // namespace
}  // namespace tauhat
