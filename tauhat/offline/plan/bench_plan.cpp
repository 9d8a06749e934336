#include "tauhat/offline/plan/bench_plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "tauhat/offline/error.hpp"
#include "tauhat/offline/parallel.hpp"
#include "tauhat/offline/simulate/random.hpp"

namespace tauhat {
namespace {

// One position says nothing of the next one, and the first loop of a file begins anywhere.
constexpr int kFewestPositions = 2, kFewestLoops = 2;

HysteresisRecord simulated_file(const BenchPlanSpec& spec, const TorqueLoops& ramps, const Gear& here, Random& noise) {
  HysteresisRecord file;
  file.ramp.source = "plan";
  GearOnBench gear(here);
  for (std::size_t k = 0; k < ramps.samples(); ++k) {
    const double time = static_cast<double>(k) * ramps.period, torque = ramps.torque(time);
    file.ramp.time.push_back(time);
    file.ramp.torque.push_back(torque + spec.torque_noise * noise.normal());
    file.ramp.displacement.push_back(gear.twist(torque) + spec.displacement_noise * noise.normal());
  }
  file.parts = {{0, file.ramp.size(), true, true}};
  return file;
}

// The root of the mean of what some tests' squares are, of std and half width alike.
class Trials {
 public:
  Trials(const BenchPlanSpec& spec, const HysteresisTest& test) : spec_(spec), test_(test) {}

  PlannedTest of(const BenchSchedule& schedule, std::uint64_t first_seed, int count) const {
    PlannedTest planned{schedule, {}, 0.0, {}};
    double variance = 0.0, width = 0.0, value = 0.0;
    for (int i = 0; i < count; ++i) {
      std::vector<HysteresisRecord> records = simulated_test(spec_, schedule, first_seed + static_cast<unsigned>(i));
      const HysteresisOutcome outcome = evaluate(records, test_);
      const std::optional<Result> found = told_by(outcome, planned.reason);
      if (!found) return {schedule, {}, 0.0, planned.reason};
      const double half = 0.5 * (found->ci95->at(1) - found->ci95->at(0));
      variance += *found->std * *found->std / count, width += half * half / count, value += found->value / count;
      planned.found = found;
    }
    const double half = std::sqrt(width);
    Result& result = *planned.found;
    result.value = value, result.std = std::sqrt(variance), result.ci95 = {{value - half, value + half}};
    result.budget.reset();
    result.note = "predicted, of one more position";
    planned.half_width = half;
    return planned;
  }

 private:
  std::optional<Result> told_by(const HysteresisOutcome& outcome, std::string& reason) const {
    for (const Diagnostic& diagnostic : outcome.diagnostics) {
      if (diagnostic.severity != Severity::error) continue;
      reason = diagnostic.message;
      return {};
    }
    for (const Result& result : outcome.results)
      if (result.name == spec_.quantity && result.std && result.ci95) return result;
    reason = fmt::format("the loops give no {}", spec_.quantity);
    return {};
  }

  const BenchPlanSpec& spec_;
  const HysteresisTest& test_;
};

void sort_by_width(std::vector<PlannedTest>& tried) {
  const auto width_of = [](const PlannedTest& test) {
    return test.found ? test.half_width : std::numeric_limits<double>::infinity();
  };
  std::stable_sort(tried.begin(), tried.end(),
                   [&](const PlannedTest& a, const PlannedTest& b) { return width_of(a) < width_of(b); });
}

}  // namespace

std::vector<BenchSchedule> schedules_of(const BenchPlanSpec& spec) {
  std::vector<BenchSchedule> schedules;
  for (const int positions : {2, 3, 4, 5, 6, 8}) {
    const double ramping = spec.duration / positions - spec.change;  // s a file
    if (!(ramping > 0.0)) continue;
    for (const int loops : {2, 3, 5, 8}) {
      const double rate = loops * 4.0 * spec.torque / ramping;
      if (rate <= spec.fastest) schedules.push_back({positions, {loops, spec.torque, rate, spec.period}});
    }
  }
  return schedules;
}

std::vector<HysteresisRecord> simulated_test(const BenchPlanSpec& spec, const BenchSchedule& schedule,
                                             std::uint64_t seed) {
  Random teeth(seed, "teeth"), noise(seed, "noise");
  std::vector<HysteresisRecord> records;
  for (int i = 0; i < schedule.positions; ++i) {
    Gear here = spec.gear;
    here.gap *= 1.0 + spec.spread * teeth.normal();
    here.stiffness *= 1.0 + spec.spread * teeth.normal();
    records.push_back(simulated_file(spec, schedule.ramps, here, noise));
  }
  return records;
}

BenchPlan plan_bench_test(const BenchPlanSpec& spec, const HysteresisTest& test, std::uint64_t seed,
                          const std::function<void(double)>& progress) {
  // An interval of few positions scatters from test to test: the choice takes the mean of some, the prediction of more.
  constexpr int kTests = 30, kTestsOfTheChosen = 40;
  const std::vector<BenchSchedule> schedules = schedules_of(spec);
  if (schedules.empty())
    throw Error(
        ExitCode::wrong_use,
        fmt::format("plan.duration = {:.4g} s: {} positions of {} loops to {:.4g} N m take {:.4g} s at {:.4g} "
                    "N m/s; give more time, or ramp faster (torque_rate)",
                    spec.duration, kFewestPositions, kFewestLoops, spec.torque,
                    kFewestPositions * (spec.change + kFewestLoops * 4.0 * spec.torque / spec.fastest), spec.fastest));
  const Trials trials(spec, test);
  BenchPlan plan;
  plan.tried.resize(schedules.size());
  for_each_in_parallel(
      schedules.size(), [&](std::size_t i) { plan.tried[i] = trials.of(schedules[i], seed, kTests); },
      [&](double share) {
        if (progress) progress(0.9 * share);
      });
  sort_by_width(plan.tried);
  const PlannedTest& best = plan.tried.front();
  if (!best.found)
    throw Error(ExitCode::untrusted, fmt::format("no schedule tells {}: {}", spec.quantity, best.reason));
  plan.chosen = trials.of(best.schedule, seed + kTests, kTestsOfTheChosen);
  if (!plan.chosen.found)
    throw Error(ExitCode::untrusted, fmt::format("on other gears the best schedule does not tell {}: {}", spec.quantity,
                                                 plan.chosen.reason));
  if (progress) progress(1.0);
  return plan;
}

}  // namespace tauhat
