// A hysteresis-curve test before anyone clamps the gear: how many positions of the output, how many loops at each, how
// fast. Each schedule that fits into the time is tried on gears that are drawn about the believed one, and evaluated as
// any test; the narrowest interval wins, and is judged by gears that it was not chosen by.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "tauhat/offline/gearbox/hysteresis_test.hpp"
#include "tauhat/offline/plan/bench_plan_spec.hpp"
#include "tauhat/offline/report/report.hpp"

namespace tauhat {

struct BenchSchedule {
  int positions = 0;  // of the output: one file each
  TorqueLoops ramps;  // of one file
};

struct PlannedTest {
  BenchSchedule schedule;
  std::optional<Result> found;  // empty: it does not tell the quantity
  double half_width = 0.0;      // of the 95 % interval
  std::string reason;           // why not
};

struct BenchPlan {
  std::vector<PlannedTest> tried;  // narrowest first
  PlannedTest chosen;              // with the standard deviation that is predicted
};

// Every schedule that takes the time there is: the ramps are as slow as it allows.
std::vector<BenchSchedule> schedules_of(const BenchPlanSpec& spec);

// One test as the bench would record it: a file for each position.
std::vector<HysteresisRecord> simulated_test(const BenchPlanSpec& spec, const BenchSchedule& schedule,
                                             std::uint64_t seed);

// Throws Error (wrong_use) where no schedule fits into the time, and Error (untrusted) where none tells the quantity.
BenchPlan plan_bench_test(const BenchPlanSpec& spec, const HysteresisTest& test, std::uint64_t seed,
                          const std::function<void(double)>& progress = {});

Report bench_plan_report(const BenchPlan& plan, const BenchPlanSpec& spec, const std::string& study);

}  // namespace tauhat
