// The grid of hostile truths: how its cells are counted.
#include "tauhat/offline/reproduce/limits_grid.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tauhat::limits {
namespace {

// Ten answers to a gap of 1; `covering` of their intervals hold it, `warned` of them carry a warning.
std::vector<Answer> answers(int covering, int warned) {
  std::vector<Answer> all;
  for (int i = 0; i < 10; ++i) {
    Answer answer;
    const double value = i < covering ? 1.05 : 1.5;
    answer.results.push_back({.name = "backlash.gap", .value = value, .ci95 = {{value - 0.1, value + 0.1}}});
    answer.diagnostics.push_back({"noise.estimated", Severity::info, ""});
    if (i < warned) answer.diagnostics.push_back({"model.misfit", Severity::error, ""});
    answer.truth["backlash.gap"] = 1.0;
    all.push_back(std::move(answer));
  }
  return all;
}

const Cell kHostile{"backlash", "torque gain", "+2 %", {}};

TEST(LimitsGrid, CountsCoverageAndFlags) {
  const CellSummary s = summarise(kHostile, answers(7, 4));
  EXPECT_DOUBLE_EQ(s.quantities.at("backlash.gap").coverage, 0.7);
  EXPECT_NEAR(s.quantities.at("backlash.gap").bias, 0.05, 1e-12);
  EXPECT_DOUBLE_EQ(s.flagged, 0.4);
  EXPECT_DOUBLE_EQ(s.flags.at("model.misfit"), 0.4);
  EXPECT_EQ(s.flags.count("noise.estimated"), 0U);  // an information is no warning
}

TEST(LimitsGrid, ACellCoversOrIsFlagged) {
  EXPECT_FALSE(summarise(kHostile, answers(7, 4)).is_met);
  EXPECT_TRUE(summarise(kHostile, answers(9, 0)).is_met);
  EXPECT_TRUE(summarise(kHostile, answers(0, 10)).is_met);
}

// An answer that leaves a quantity out covers nothing.
TEST(LimitsGrid, AMissingResultIsNotCovered) {
  auto all = answers(10, 0);
  for (Answer& answer : all) answer.results.clear();
  EXPECT_DOUBLE_EQ(summarise(kHostile, all).least_coverage(), 0.0);
}

// A band over time, or all parameters of an arm: their values are counted together, and those of a record that has
// none, as one that was refused, as not held.
TEST(LimitsGrid, CountsTheValuesOfABand) {
  std::vector<Answer> all(4);
  for (Answer& answer : all) answer.many["force"] = {.held = 0.96, .error = 0.1};
  EXPECT_NEAR(summarise(kHostile, all).quantities.at("force").coverage, 0.96, 1e-12);
  EXPECT_TRUE(summarise(kHostile, all).is_met);
  all[0].many.clear();
  EXPECT_NEAR(summarise(kHostile, all).quantities.at("force").coverage, 0.72, 1e-12);
  EXPECT_FALSE(summarise(kHostile, all).is_met);
}

TEST(LimitsGrid, WithoutAMisfitNothingIsFlagged) {
  const Cell friendly{"backlash", "none", "", {}};
  EXPECT_TRUE(summarise(friendly, answers(9, 0)).is_met);  // 90 % of ten is within what ten can tell from 95 %
  EXPECT_FALSE(summarise(friendly, answers(9, 2)).is_met);
  EXPECT_FALSE(summarise(friendly, answers(6, 0)).is_met);
}

TEST(LimitsGrid, ThePageNamesWhatIsMissed) {
  const std::string page = limits_page({summarise(kHostile, answers(7, 4))});
  EXPECT_THAT(page,
              testing::HasSubstr("| torque gain | +2 % | +5 % | 70 % | 40 % | model.misfit (40 %) | **missed** |"));
}

}  // namespace
}  // namespace tauhat::limits
