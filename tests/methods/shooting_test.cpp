// The parts of the shooting fit: the torque's delay by time stamps, the whiteness of what is left, numbers without an
// interval.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "support/random.hpp"
#include "tauhat/offline/identify/diagnose.hpp"
#include "tauhat/offline/identify/shooting_segment.hpp"

namespace tauhat {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using D = Dual<double, 1>;

// A torque of every millisecond, and sensors every 0.7 ms: the intervals differ.
Timeline two_clocks() {
  Draw draw(5);
  Timeline timeline;
  for (int k = 0; k < 60; ++k) timeline.time.push_back(1e-3 * k);
  for (int k = 1; k < 80; ++k) timeline.time.push_back(0.7e-3 * k + 0.04e-3);
  std::sort(timeline.time.begin(), timeline.time.end());
  std::vector<double> torque;
  for (int k = 0; k < 60; ++k) torque.push_back(draw.normal());
  timeline.inputs.resize(1);
  for (const double t : timeline.time)
    timeline.inputs[0].push_back(torque[std::min<std::size_t>(static_cast<std::size_t>(t / 1e-3 + 1e-9), 59)]);
  return timeline;
}

TorqueChannel<D> delayed_by(double delay) {
  TorqueChannel<D> channel;
  channel.delay = D(delay);
  channel.delay.derivatives()[0] = 1.0;
  return channel;
}

// The mean over an interval, all samples of the log searched for their share.
double brute_force(const Timeline& timeline, std::size_t k, double delay) {
  constexpr double kForever = 1e3;
  const double from = timeline.time[k] - delay, to = timeline.time[k + 1] - delay;
  double area = 0.0;
  for (std::size_t i = 0; i < timeline.size(); ++i) {
    const double begin = i == 0 ? -kForever : timeline.time[i];
    const double end = i + 1 == timeline.size() ? kForever : timeline.time[i + 1];
    area += timeline.inputs[0][i] * std::max(0.0, std::min(end, to) - std::max(begin, from));
  }
  return area / (to - from);
}

TEST(DelayedInput, IsTheMeanOverAnEarlierIntervalOfTwoClocks) {
  const Timeline timeline = two_clocks();
  constexpr double kSmall = 1e-9;
  for (const double delay : {0.37e-3, 2.213e-3, -0.913e-3, 90e-3, -90e-3}) {
    for (const std::size_t first : {std::size_t{0}, std::size_t{31}}) {
      const TorqueChannel<D> channel = delayed_by(delay);
      DelayedInput<D> torque(timeline, channel, first);
      for (std::size_t k = first; k + 1 < timeline.size(); ++k) {
        const D found = torque.next();
        const double slope =
            (brute_force(timeline, k, delay + kSmall) - brute_force(timeline, k, delay - kSmall)) / (2.0 * kSmall);
        EXPECT_NEAR(found.value(), brute_force(timeline, k, delay), 1e-9) << k << ", " << delay;
        EXPECT_NEAR(found.derivatives()[0], slope, 1e-3 * std::abs(slope) + 0.01) << k << ", " << delay;
      }
    }
  }
}

// Without a delay each interval has its own sample, to the last bit; a longer delay brings the one before it in.
TEST(DelayedInput, WithoutADelayIsTheSampleItself) {
  const Timeline timeline = two_clocks();
  TorqueChannel<D> channel = delayed_by(0.0);
  channel.gain = D(2.0), channel.offset = D(0.5);
  channel.gain.derivatives().setZero(), channel.offset.derivatives().setZero();
  DelayedInput<D> torque(timeline, channel, 1);
  const auto& input = timeline.inputs[0];
  for (std::size_t k = 1; k + 1 < timeline.size(); ++k) {
    const D found = torque.next();
    EXPECT_EQ(found.value(), 2.0 * input[k] + 0.5);
    EXPECT_DOUBLE_EQ(found.derivatives()[0], 2.0 * (input[k - 1] - input[k]) / timeline.interval(k));
  }
}

// Where all intervals are equal it is a mixture of two neighbours.
TEST(DelayedInput, MixesNeighboursOfAnEvenClock) {
  Draw draw(7);
  Timeline timeline;
  timeline.inputs.resize(1);
  for (int k = 0; k < 40; ++k) timeline.time.push_back(0.5e-3 * k), timeline.inputs[0].push_back(draw.normal());
  const TorqueChannel<D> channel = delayed_by(1.15e-3);  // 2.3 samples
  DelayedInput<D> torque(timeline, channel, 5);
  const auto& input = timeline.inputs[0];
  for (std::size_t k = 5; k + 1 < timeline.size(); ++k) {
    const D found = torque.next();
    EXPECT_NEAR(found.value(), 0.7 * input[k - 2] + 0.3 * input[k - 3], 1e-12);
    EXPECT_NEAR(found.derivatives()[0], (input[k - 3] - input[k - 2]) / 0.5e-3, 1e-7);
  }
}

// Noise of which each sample carries a share of the one before.
std::vector<double> correlated(double share, std::size_t count, std::uint64_t seed) {
  Draw draw(seed);
  std::vector<double> values;
  double before = 0.0;
  for (std::size_t k = 0; k < count; ++k) {
    const double now = draw.normal();
    values.push_back(now + share * before);
    before = now;
  }
  return values;
}

BacklashMeasures whiteness_of(std::vector<std::vector<double>> residuals) {
  ShootingProblem problem;
  problem.segments = {{.first = 0, .intervals = 1200}};
  ShootingFit fit;
  fit.residuals = std::move(residuals);
  BacklashMeasures m;
  measure_whiteness(problem, fit, m);
  return m;
}

// A long record whose correlation is sure but small beside a short one whose correlation is large by chance: neither is
// a fault of the model, and both together are not one either.
TEST(Whiteness, IsThatOfOneSensorAtOneLag) {
  const std::size_t few = 60, many = 40000;
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    const BacklashMeasures chance = whiteness_of({correlated(0.035, many, seed), correlated(0.0, few, seed + 100)});
    EXPECT_FALSE(chance.whiteness > 4.5 && std::abs(chance.autocorrelation) > 0.06) << "seed " << seed;
    const BacklashMeasures fault = whiteness_of({correlated(0.035, many, seed), correlated(0.1, many, seed + 100)});
    EXPECT_NEAR(fault.autocorrelation, 0.1, 0.02) << "seed " << seed;
    EXPECT_DOUBLE_EQ(fault.whiteness, fault.autocorrelation * std::sqrt(static_cast<double>(many)));
  }
}

TEST(Intervals, ThatAreNoNumbersAreAnError) {
  const Result good{.name = "backlash.gap", .value = 0.1, .std = 0.01};
  Result bad = good;
  EXPECT_THAT(diagnose_intervals({good, {.name = "without", .value = 1.0}}), IsEmpty());
  for (const double std : {std::nan(""), std::numeric_limits<double>::infinity()}) {
    bad.std = std;
    const auto found = diagnose_intervals({good, bad});
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(found[0].severity, Severity::error);
    EXPECT_THAT(found[0].message, HasSubstr("no interval for backlash.gap"));
  }
}

}  // namespace
}  // namespace tauhat
