// Thinning draws fewer points and must not change what the picture says.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "tauhat/offline/report/thin.hpp"

namespace tauhat {
namespace {

Series noise(std::size_t size) {
  std::mt19937_64 random(7);
  std::normal_distribution<double> normal;
  Series series;
  for (std::size_t i = 0; i < size; ++i) {
    series.x.push_back(1e-3 * static_cast<double>(i));
    series.y.push_back(normal(random));
  }
  return series;
}

double lowest(const std::vector<double>& values) { return *std::min_element(values.begin(), values.end()); }
double highest(const std::vector<double>& values) { return *std::max_element(values.begin(), values.end()); }

TEST(ThinLine, KeepsEndsAndExtremes) {
  Series series = noise(100'000);
  series.y[54'321] = 99.0;  // a single sample, the one that matters
  const Points points = thin_line(series, 4000);
  EXPECT_LE(points.x.size(), 4000u);
  EXPECT_EQ(highest(points.y), 99.0);
  EXPECT_EQ(lowest(points.y), lowest(series.y));
  EXPECT_EQ(points.x.front(), series.x.front());
  EXPECT_EQ(points.x.back(), series.x.back());
  EXPECT_TRUE(std::is_sorted(points.x.begin(), points.x.end()));
}

TEST(ThinLine, BreaksWhereSamplesAreMissing) {
  Series series = noise(100'000);
  std::fill(series.y.begin() + 40'000, series.y.begin() + 50'000, std::nan(""));
  const Points points = thin_line(series, 4000);
  EXPECT_TRUE(std::any_of(points.y.begin(), points.y.end(), [](double y) { return std::isnan(y); }));
  for (std::size_t i = 1; i < points.x.size(); ++i)
    if (points.x[i - 1] < 39.9 && points.x[i] > 50.1) ADD_FAILURE() << "a line crosses the gap";
}

// One missing sample in ten must not hide the other nine, as a break between each pair of points would.
TEST(ThinLine, StillDrawsALogWithManyMissingSamples) {
  Series series = noise(100'000);
  for (std::size_t i = 0; i < series.y.size(); i += 10) series.y[i] = std::nan("");
  const Points points = thin_line(series, 4000);
  std::size_t strokes = 0;
  for (std::size_t i = 1; i < points.y.size(); ++i) strokes += std::isfinite(points.y[i - 1] + points.y[i]);
  EXPECT_GT(strokes, 1000u);
}

TEST(ThinLine, KeepsBothExtremesOfALoop) {
  Series loop{.kind = Series::Kind::line, .name = "", .x = {}, .y = {}, .is_time_series = false};
  for (int i = 0; i < 100'000; ++i) {
    loop.x.push_back(std::cos(0.1 * i));
    loop.y.push_back(std::sin(0.1 * i));
  }
  const Points points = thin_line(loop, 4000);
  EXPECT_LE(points.x.size(), 4000u);
  EXPECT_EQ(highest(points.x), highest(loop.x));
  EXPECT_EQ(lowest(points.y), lowest(loop.y));
}

TEST(Thin, LeavesWhatIsShortAlone) {
  for (const auto kind : {Series::Kind::line, Series::Kind::markers, Series::Kind::band}) {
    Series series{.kind = kind, .name = "", .x = {}, .y = {}};
    EXPECT_TRUE(thin(series).x.empty());
    series.x = {1.0};
    series.y = {2.0};
    series.upper = {3.0};
    EXPECT_EQ(thin(series).x, series.x);
    EXPECT_EQ(thin(series).y, series.y);
    series.x = {1.0, 2.0, 3.0};  // longer than y: the rest has no point
    EXPECT_EQ(thin(series).x.size(), 1u);
  }
}

TEST(ThinBand, NeverGetsNarrower) {
  Series band = noise(100'000);
  band.kind = Series::Kind::band;
  for (const double lower : band.y) band.upper.push_back(lower + 1.0);
  const Points points = thin_band(band, 4000);
  ASSERT_EQ(points.x.size(), 4000u);
  for (std::size_t i = 0; i < points.x.size(); ++i)
    for (std::size_t k = i * 25; k < (i + 1) * 25; ++k) {
      ASSERT_LE(points.y[i], band.y[k]);
      ASSERT_GE(points.upper[i], band.upper[k]);
    }
}

TEST(ThinCloud, KeepsOutliersAndTheSameBytesEachTime) {
  Series cloud = noise(200'000);
  cloud.y[1234] = 30.0;
  const Points points = thin_cloud(cloud, 6000);
  EXPECT_LE(points.x.size(), 6000u);
  EXPECT_GT(points.x.size(), 2000u);
  EXPECT_EQ(highest(points.y), 30.0);
  EXPECT_EQ(lowest(points.y), lowest(cloud.y));
  EXPECT_EQ(points.y, thin_cloud(cloud, 6000).y);
}

// White noise has half of its samples within 0.67; extremes alone would leave the middle empty.
TEST(Thin, DoesNotHollowOutAScatterOverTime) {
  Series scatter = noise(100'000);
  scatter.kind = Series::Kind::markers;
  const Points points = thin(scatter);
  const auto inside = std::count_if(points.y.begin(), points.y.end(), [](double y) { return std::abs(y) < 0.67; });
  EXPECT_GT(inside, 1000);
}

TEST(ThinCloud, DropsWhatCannotBeDrawnAndStandsAConstant) {
  Series cloud{.kind = Series::Kind::markers, .name = "", .x = {}, .y = {}};
  cloud.x.assign(50'000, 3.0);
  cloud.y.assign(50'000, 4.0);
  cloud.y[7] = std::nan("");
  cloud.x[8] = std::numeric_limits<double>::infinity();
  const Points points = thin_cloud(cloud, 6000);
  EXPECT_LE(points.x.size(), 6000u);
  EXPECT_EQ(highest(points.x), 3.0);
  EXPECT_EQ(lowest(points.y), 4.0);
}

}  // namespace
}  // namespace tauhat
