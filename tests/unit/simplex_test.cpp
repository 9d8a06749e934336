#include "tauhat/offline/simplex.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace tauhat {
namespace {

TEST(Simplex, FindsTheBottomOfRosenbrocksValley) {
  const auto valley = [](const std::vector<double>& x) {
    return std::pow(1.0 - x[0], 2) + 100.0 * std::pow(x[1] - x[0] * x[0], 2);
  };
  const SimplexMinimum found = minimise(valley, {-1.2, 1.0}, {0.5, 0.5}, {.evaluations = 400, .settled = 1e-14});
  EXPECT_TRUE(found.settled);
  EXPECT_NEAR(found.point[0], 1.0, 1e-5);
  EXPECT_NEAR(found.point[1], 1.0, 1e-5);
}

TEST(Simplex, SixNumbersOfDifferentSize) {
  const auto bowl = [](const std::vector<double>& x) {
    double sum = 0.0;
    for (std::size_t i = 0; i < x.size(); ++i) sum += std::pow(2.0, static_cast<double>(i)) * std::pow(x[i] - 0.3, 2);
    return sum;
  };
  const SimplexMinimum found =
      minimise(bowl, std::vector<double>(6, 0.0), std::vector<double>(6, 0.4), {.evaluations = 1000, .settled = 1e-12});
  for (const double x : found.point) EXPECT_NEAR(x, 0.3, 1e-4);
}

TEST(Simplex, GoesAroundWhereThereIsNoValue) {
  const auto half = [](const std::vector<double>& x) {
    return x[0] < 0.0 ? std::numeric_limits<double>::quiet_NaN() : std::pow(x[0] - 0.1, 2);
  };
  EXPECT_NEAR(minimise(half, {1.0}, {-0.7}, {.settled = 1e-14}).point[0], 0.1, 1e-4);
}

TEST(Simplex, StopsAfterItsEvaluations) {
  int count = 0;
  const auto slope = [&](const std::vector<double>& x) { return ++count, x[0]; };
  const SimplexMinimum found = minimise(slope, {0.0}, {1.0}, {.evaluations = 30});
  EXPECT_FALSE(found.settled);
  EXPECT_LE(count, 32);
  EXPECT_EQ(found.evaluations, count);
}

}  // namespace
}  // namespace tauhat
