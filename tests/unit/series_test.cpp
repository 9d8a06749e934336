// The parts of reports: intervals and bands.
#include "tauhat/offline/report/series.hpp"

#include <gtest/gtest.h>

namespace tauhat {
namespace {

TEST(WithInterval, EndsWhereThereIsNothingBelow) {
  const Result wide = with_interval("backlash.gap", 1.0, 2.0, "rad", 0.0);
  EXPECT_EQ(wide.ci95->at(0), 0.0);
  EXPECT_DOUBLE_EQ(wide.ci95->at(1), 1.0 + 2.0 * k95);
  EXPECT_DOUBLE_EQ(with_interval("backlash.offset", 1.0, 2.0, "rad").ci95->at(0), 1.0 - 2.0 * k95);
}

TEST(Band, Is95PercentInTheUnitOfThePlot) {
  const Series found = band("95 %", {0.0, 1.0}, {1e-3, 2e-3}, {0.0, 1e-3}, 1e3);
  EXPECT_EQ(found.kind, Series::Kind::band);
  EXPECT_DOUBLE_EQ(found.y[0], 1.0);
  EXPECT_DOUBLE_EQ(found.upper[0], 1.0);
  // The difference is small beside its terms: their rounding, not its own.
  EXPECT_NEAR(found.y[1], 2.0 - k95, 1e-15);
  EXPECT_NEAR(found.upper[1], 2.0 + k95, 1e-15);
}

}  // namespace
}  // namespace tauhat
