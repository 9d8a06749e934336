// A gearbox on the test bench whose loops, sensors or clamping are not what the test assumes.
#include "tauhat/offline/reproduce/limits_gear.hpp"
#include "tauhat/offline/reproduce/limits_misfit.hpp"

namespace tauhat::limits {
namespace {

constexpr int kFiles = 3;

// The interval is for one more file: for the gear in one more position of its teeth.
Answer answer_to(const HostileBench& bench, std::uint64_t seed) {
  Random teeth(seed, "teeth"), noise(seed, "noise");
  std::vector<HysteresisRecord> records;
  for (int i = 0; i < kFiles; ++i) {
    const TeethPosition at = draw_teeth(teeth);
    records.push_back(bench_record(bench, at, noise));
  }
  HysteresisTest test;
  test.spec = {HysteresisDefinition::tauhat, kBenchRated, {}};
  test.torque_std = bench.torque_gain_std;
  const HysteresisOutcome outcome = evaluate(records, test);
  const TeethPosition next = draw_teeth(teeth);
  return {outcome.results,
          outcome.diagnostics,
          {{"backlash.gap", next.gap - 2.0 * bench.friction / next.stiffness},
           {"transmission.torsional_rigidity", next.stiffness}}};
}

std::vector<Misfit<HostileBench>> misfits() {
  using Bench = HostileBench;
  return {{"torque gain", {{"+2 %", 1.02}, {"+10 %", 1.1}}, [](Bench& b, double gain) { b.torque_gain = gain; }},
          {"torque gain, with its std in the study",
           {{"+2 %, std 2 %", 0.02}},
           [](Bench& b, double share) { b.torque_gain = 1.0 + share, b.torque_gain_std = share; }},
          {"torque offset",
           {{"1 % of rated", 0.01}, {"5 % of rated", 0.05}},
           [](Bench& b, double share) { b.torque_offset = share * kBenchRated; }},
          {"zero that drifts",
           {{"1 % of the gap a loop", 0.01}, {"10 % of the gap a loop", 0.1}},
           [](Bench& b, double share) { b.twist_drift = share * kBenchGap / b.ramps.loop_duration(); }},
          {"twist that lags", {{"50 ms", 0.05}, {"0.5 s", 0.5}}, [](Bench& b, double lag) { b.lag = lag; }},
          {"clamp that yields",
           {{"2 % of the gear", 0.02}, {"20 % of the gear", 0.2}},
           [](Bench& b, double share) { b.clamp_compliance = share / kBenchStiffness; }},
          {"clamp that yields, and is seen",
           {{"20 % of the gear", 0.2}},
           [](Bench& b, double share) { b.clamp_compliance = share / kBenchStiffness, b.clamp_is_seen = true; }},
          {"coupling that slips",
           {{"2 % of the gap", 0.02}, {"20 % of the gap", 0.2}},
           [](Bench& b, double share) { b.jump = share * kBenchGap; }},
          {"quantisation",
           {{"1 % of the gap", 0.01}, {"20 % of the gap", 0.2}},
           [](Bench& b, double share) { b.resolution = share * kBenchGap; }},
          {"coloured noise", {{"0.1 s", 0.1}}, [](Bench& b, double memory) { b.noise_memory = memory; }}};
}

}  // namespace

std::vector<Cell> bench_cells() {
  std::vector<Cell> cells;
  add_cells("bench test", HostileBench{},
            {{"backlash.gap", kBenchGap - 2.0 * HostileBench{}.friction / kBenchStiffness},
             {"transmission.torsional_rigidity", kBenchStiffness}},
            answer_to, misfits(), cells);
  return cells;
}

}  // namespace tauhat::limits
