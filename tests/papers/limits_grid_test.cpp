// The grid of hostile truths: how its cells are counted.
#include "tauhat/offline/reproduce/limits_page.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <filesystem>
#include <fstream>

namespace tauhat::limits {
namespace {

std::vector<Judged> judged(const std::vector<Answer>& answers) {
  std::vector<Judged> all;
  for (const Answer& answer : answers) all.push_back(judge(answer));
  return all;
}

// Ten answers to a gap of 1; `covering` of their intervals hold it, `warned` of them carry a warning.
std::vector<Answer> answers_of(int covering, int warned) {
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
  const CellSummary s = summarise(kHostile, judged(answers_of(7, 4)));
  EXPECT_DOUBLE_EQ(s.quantities.at("backlash.gap").coverage, 0.7);
  EXPECT_NEAR(s.quantities.at("backlash.gap").bias, 0.05, 1e-12);
  EXPECT_DOUBLE_EQ(s.flagged, 0.4);
  EXPECT_DOUBLE_EQ(s.flags.at("model.misfit"), 0.4);
  EXPECT_EQ(s.flags.count("noise.estimated"), 0U);  // an information is no warning
}

TEST(LimitsGrid, ACellCoversOrIsFlagged) {
  EXPECT_FALSE(summarise(kHostile, judged(answers_of(7, 4))).is_met);
  EXPECT_TRUE(summarise(kHostile, judged(answers_of(9, 0))).is_met);
  EXPECT_TRUE(summarise(kHostile, judged(answers_of(0, 10))).is_met);
}

// An answer that leaves a quantity out covers nothing.
TEST(LimitsGrid, AMissingResultIsNotCovered) {
  auto all = answers_of(10, 0);
  for (Answer& answer : all) answer.results.clear();
  EXPECT_DOUBLE_EQ(summarise(kHostile, judged(all)).least_coverage(), 0.0);
}

// A band over time, or all parameters of an arm: their values are counted together, and those of a record that has
// none, as one that was refused, as not held.
TEST(LimitsGrid, CountsTheValuesOfABand) {
  std::vector<Answer> all(4);
  for (Answer& answer : all) answer.many["force"] = {.held = 0.96, .error = 0.1};
  EXPECT_NEAR(summarise(kHostile, judged(all)).quantities.at("force").coverage, 0.96, 1e-12);
  EXPECT_TRUE(summarise(kHostile, judged(all)).is_met);
  all[0].many.clear();
  EXPECT_NEAR(summarise(kHostile, judged(all)).quantities.at("force").coverage, 0.72, 1e-12);
  EXPECT_FALSE(summarise(kHostile, judged(all)).is_met);
}

TEST(LimitsGrid, WithoutAMisfitNothingIsFlagged) {
  const Cell friendly{"backlash", "none", "", {}};
  EXPECT_TRUE(
      summarise(friendly, judged(answers_of(9, 0))).is_met);  // 90 % of ten is within what ten can tell from 95 %
  EXPECT_FALSE(summarise(friendly, judged(answers_of(9, 2))).is_met);
  EXPECT_FALSE(summarise(friendly, judged(answers_of(6, 0))).is_met);
}

TEST(LimitsGrid, ThePageNamesWhatIsMissed) {
  const std::string page = limits_page({summarise(kHostile, judged(answers_of(7, 4)))});
  EXPECT_THAT(
      page, testing::HasSubstr("| torque gain | +2 % | 10 | +5 % | 70 % | 40 % | model.misfit (40 %) | **missed** |"));
}

// A run of some cells adds to the page that has the others: of two rows that of more records stays, and of equal ones
// the new.
TEST(LimitsGrid, RowsAreAddedToThePage) {
  const Cell other{"backlash", "torque late", "1 ms", {}};
  const std::string before = limits_page({summarise(kHostile, judged(answers_of(7, 4)))});
  const auto added = [&](const Cell& cell, const std::vector<Answer>& answers) {
    return added_to_page(before, limits_page({summarise(cell, judged(answers))}));
  };
  EXPECT_EQ(added_to_page(before, ""), before);
  EXPECT_THAT(added(other, answers_of(9, 0)),
              testing::AllOf(testing::StartsWith(before), testing::HasSubstr("| torque late | 1 ms | 10 |")));
  EXPECT_THAT(added(kHostile, answers_of(9, 0)), testing::Not(testing::HasSubstr("**missed**")));
  std::vector<Answer> fewer = answers_of(9, 0);
  fewer.pop_back();
  EXPECT_EQ(added(kHostile, fewer), before);
}

// A run that was cut off in the middle of a line goes on where it stopped.
TEST(LimitsGrid, RecordsAreKept) {
  const std::string path = testing::TempDir() + "tauhat_limits_records.jsonl";
  std::filesystem::remove(path);
  std::atomic<int> runs = 0;
  const Cell counted{"backlash", "torque gain", "+2 %", [&](std::uint64_t seed) {
                       ++runs;
                       return answers_of(static_cast<int>(seed), 0)[5];
                     }};
  ReproduceOptions options;
  options.records = path;
  EXPECT_DOUBLE_EQ(run_grid({counted}, 4, 4, options).front().least_coverage(), 0.0);
  EXPECT_EQ(runs, 4);
  std::ofstream(path, std::ios::app) << R"({"cell": "limits.ba)";
  const CellSummary more = run_grid({counted}, 10, 10, options).front();
  EXPECT_EQ(runs, 10);
  EXPECT_EQ(more.runs, 10);
  // Of what is kept alone, nothing is run.
  EXPECT_EQ(run_grid({counted}, 0, 0, options).front().runs, 10);
  EXPECT_EQ(runs, 10);
  EXPECT_DOUBLE_EQ(more.least_coverage(), 0.5);  // of seeds 6 to 10
  run_grid({counted}, 10, 10, options);
  EXPECT_EQ(runs, 10);
  std::filesystem::remove(path);
}

}  // namespace
}  // namespace tauhat::limits
