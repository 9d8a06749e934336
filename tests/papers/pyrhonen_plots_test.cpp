// What the paper draws is drawn: all 52 base parameters, and the force with its bands.
#include "tauhat/offline/reproduce/pyrhonen_plots.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace tauhat {
namespace {

TEST(PyrhonenPlots, DrawEveryBaseParameterBesideTheTruth) {
  std::size_t count = 0, held = 0;
  for (const Plot& plot : pyrhonen::parameter_figure(1).plots) {
    ASSERT_EQ(plot.series.size(), 3U);
    const Series &truth = plot.series[0], &identified = plot.series[2];
    for (std::size_t k = 0; k < truth.y.size(); ++k)
      held += std::abs(identified.y[k] - truth.y[k]) < identified.upper[k], ++count;
  }
  EXPECT_EQ(count, 52U);
  EXPECT_GE(held, 44U);  // of 95 %, five times in a thousand fewer
}

TEST(PyrhonenPlots, DrawTheForceWithItsBand) {
  const Section section = pyrhonen::force_figure(1);
  ASSERT_EQ(section.plots.size(), 3U);
  for (const Plot& plot : section.plots) {
    ASSERT_EQ(plot.series.size(), 3U);
    EXPECT_EQ(plot.series[0].kind, Series::Kind::band);
    EXPECT_GT(plot.series[1].x.size(), 100U);
    EXPECT_EQ(plot.series[1].name, "applied");
  }
}

}  // namespace
}  // namespace tauhat
