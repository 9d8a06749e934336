// Several logs of one axis: what averaging may reduce, and what it may not.
#include "tauhat/offline/identify/combine.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace tauhat {
namespace {

BacklashAnswer run_of(double value, double noise, double inputs) {
  Result gap{.name = "backlash.gap", .value = value, .std = std::hypot(noise, inputs), .unit = "rad"};
  gap.ci95 = {{value - 1.96 * *gap.std, value + 1.96 * *gap.std}};
  gap.budget = UncertaintyBudget{.noise = noise, .inputs = inputs};
  BacklashAnswer run;
  run.report.results = {gap};
  return run;
}

Result combined(const std::vector<BacklashAnswer>& runs) { return combine_runs(Study{}, runs).results.at(0); }

// The load's inertia is as wrong in the fourth log as in the first.
TEST(CombineRuns, CommonInputsAreNotAveragedDown) {
  const Result gap =
      combined({run_of(0.1, 1e-3, 2e-3), run_of(0.1, 1e-3, 2e-3), run_of(0.1, 1e-3, 2e-3), run_of(0.1, 1e-3, 2e-3)});
  EXPECT_DOUBLE_EQ(gap.value, 0.1);
  EXPECT_NEAR(gap.budget->inputs, 2e-3, 1e-15);
  EXPECT_NEAR(gap.budget->noise, 0.5e-3, 1e-15);
  EXPECT_EQ(gap.budget->repeat, 0.0);
  EXPECT_NEAR(*gap.std, std::hypot(2e-3, 0.5e-3), 1e-15);
}

// Two logs know little of what logs differ by: Student's t with one degree of freedom.
TEST(CombineRuns, FewRunsKnowLittleOfTheirSpread) {
  const Result gap = combined({run_of(0.09, 1e-6, 0.0), run_of(0.11, 1e-6, 0.0)});
  const double spread = 0.02 / std::sqrt(2.0);
  EXPECT_NEAR(gap.budget->repeat, spread * std::sqrt(1.5), 1e-6);
  EXPECT_NEAR(gap.ci95->at(1) - gap.value, 12.706 * spread * std::sqrt(1.5), 1e-4);
}

// Two logs that show no gap do not show one together, however small their intervals.
TEST(CombineRuns, TellsNoMoreThanEachLog) {
  BacklashAnswer none = run_of(0.01, 1e-3, 0.0);
  none.report.results[0].ci95->at(0) = 0.0;
  none.report.results[0].identifiability = {.told = Identifiability::Told::only_a_bound};
  const Result gap = combined({none, none}), one_of_two = combined({run_of(0.01, 1e-3, 0.0), none});
  for (const Result* each : {&gap, &one_of_two}) {
    ASSERT_TRUE(each->identifiability);
    EXPECT_EQ(each->identifiability->told, Identifiability::Told::only_a_bound);
    EXPECT_EQ(each->ci95->at(0), 0.0);
  }
}

// Truth and inputs drawn anew for each axis; its logs differ by noise and by what runs differ by.
TEST(CombineRuns, IntervalHoldsTheTruth) {
  constexpr int kAxes = 4000, kLogs = 3;
  std::mt19937_64 random(9);
  std::normal_distribution<double> normal;
  for (const double between : {0.0, 1e-3, 3e-3}) {
    int held = 0;
    for (int axis = 0; axis < kAxes; ++axis) {
      const double inputs = 2e-3 * normal(random);
      std::vector<BacklashAnswer> runs;
      for (int log = 0; log < kLogs; ++log)
        runs.push_back(run_of(0.1 + inputs + between * normal(random) + 1e-3 * normal(random), 1e-3, 2e-3));
      const Result gap = combined(runs);
      held += gap.ci95->at(0) <= 0.1 && 0.1 <= gap.ci95->at(1);
    }
    EXPECT_GE(held, 0.94 * kAxes) << between;
  }
}

}  // namespace
}  // namespace tauhat
