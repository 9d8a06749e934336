#include "tauhat/offline/log/checks.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <numbers>
#include <random>
#include <vector>

namespace tauhat {
namespace {

std::vector<double> samples(int count, const std::function<double(int)>& sample) {
  std::vector<double> values;
  for (int k = 0; k < count; ++k) values.push_back(sample(k));
  return values;
}

TEST(ClippedShare, IgnoresWhatIsNoLimit) {
  const auto two_levels = samples(1000, [](int k) { return k / 7 % 2 ? 2.0 : -2.0; });
  const auto quantised_sine = samples(10'000, [](int k) { return std::round(1000 * std::sin(0.002 * k)); });
  const auto at_rest_then_moving = samples(1000, [](int k) { return k < 500 ? 0.0 : 0.1 * (k - 500); });
  EXPECT_EQ(clipped_share(two_levels), 0.0);
  EXPECT_EQ(clipped_share(quantised_sine), 0.0);
  EXPECT_EQ(clipped_share(at_rest_then_moving), 0.0);
}

// A 4096-line encoder: the grid is 2 pi / 4096, also after its values were rounded to six decimals.
TEST(ResolutionOf, FindsAnEncodersGrid) {
  const double grid = 2 * std::numbers::pi / 4096;
  const auto encoder = [grid](int k) { return grid * std::round(3.0 * std::sin(0.01 * k) / grid); };
  const auto rounded = [encoder](int k) { return std::round(1e6 * encoder(k)) / 1e6; };
  EXPECT_NEAR(resolution_of(samples(5000, encoder)), grid, 1e-12);
  EXPECT_NEAR(resolution_of(samples(5000, rounded)), grid, 1e-7);
}

// Gaussian noise, seed 3, has no grid; two levels are a command, not a resolution.
TEST(ResolutionOf, IsZeroWithoutAGrid) {
  std::mt19937 random(3);
  std::normal_distribution<double> noise;
  EXPECT_EQ(resolution_of(samples(5000, [&](int) { return noise(random); })), 0.0);
  EXPECT_EQ(resolution_of(samples(5000, [](int k) { return k % 3 ? 2.0 : -2.0; })), 0.0);
  // A ramp, and a triangle: what they travel in a period is no step of theirs.
  EXPECT_EQ(resolution_of(samples(5000, [](int k) { return 0.002 * k; })), 0.0);
  EXPECT_EQ(resolution_of(samples(5000, [](int k) { return 0.002 * std::abs(k % 500 - 250); })), 0.0);
}

}  // namespace
}  // namespace tauhat
