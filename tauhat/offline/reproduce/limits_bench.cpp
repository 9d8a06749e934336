// A gearbox on the test bench whose loops, sensors or clamping are not what the test assumes.
#include <algorithm>
#include <cmath>

#include "tauhat/offline/gearbox/hysteresis_test.hpp"
#include "tauhat/offline/reproduce/limits_misfit.hpp"
#include "tauhat/offline/simulate/random.hpp"

namespace tauhat::limits {
namespace {

constexpr double kRated = 10.0, kLargest = 11.0;              // N m
constexpr double kGap = 2e-3, kStiffness = 5000.0;            // rad, N m/rad
constexpr double kFriction = 0.2;                             // N m
constexpr double kPeriod = 2e-3, kRate = 2.0;                 // s, N m/s
constexpr double kTorqueNoise = 0.02, kTwistNoise = 5e-6;     // N m, rad
constexpr double kGapSpread = 2e-5, kStiffnessSpread = 0.01;  // from one position of the teeth to the next
constexpr int kFiles = 3, kLoops = 3;

struct HostileBench {
  double torque_gain = 1.0, torque_gain_std = 0.0;  // of the log's, over what acts; what the study says of it
  double torque_offset = 0.0;                       // N m
  double twist_drift = 0.0;                         // rad/s, of the sensor's zero
  double lag = 0.0;                                 // s, of the twist behind the torque
  double clamp_compliance = 0.0;                    // rad/(N m), of what should be locked
  bool clamp_is_seen = false;
  double resolution = 0.0;    // rad, of the twist
  double noise_memory = 0.0;  // s
  double jump = 0.0;          // rad, in the middle of each record: a coupling slips
};

// Where the teeth stand, gap and stiffness are a little different.
struct Position {
  double gap, stiffness;
};
Position draw(Random& random) {
  return {kGap + kGapSpread * random.normal(), kStiffness * (1.0 + kStiffnessSpread * random.normal())};
}

// A dead zone and a spring behind Coulomb friction, which holds the spring until the torque has changed by twice its
// level.
HysteresisRecord record_of(const HostileBench& bench, const Position& at, Random& noise) {
  HysteresisRecord result;
  TorqueRamp& ramp = result.ramp;
  ramp.source = "bench";
  const double quarter = kLargest / kRate;
  const auto samples = static_cast<std::size_t>(4.0 * quarter * kLoops / kPeriod);
  const double memory = bench.noise_memory > 0.0 ? std::exp(-kPeriod / bench.noise_memory) : 0.0;
  double spring = 0.0, seen = 0.0, error = kTwistNoise * noise.normal();
  for (std::size_t k = 0; k <= samples; ++k) {
    const double time = static_cast<double>(k) * kPeriod, phase = std::fmod(time / quarter, 4.0);
    const double torque = kLargest * (phase < 1.0 ? phase : phase < 3.0 ? 2.0 - phase : phase - 4.0);
    spring = std::clamp(spring, torque - kFriction, torque + kFriction);
    const double side = spring > 0.0 ? 1.0 : spring < 0.0 ? -1.0 : 0.0;
    const double moved = bench.clamp_compliance * torque;
    const double twist = 0.5 * at.gap * side + spring / at.stiffness + moved;
    seen = bench.lag > 0.0 ? seen + kPeriod / bench.lag * (twist - seen) : twist;
    double shown = seen + bench.twist_drift * time + (2 * k > samples ? bench.jump : 0.0) + error;
    if (bench.resolution > 0.0) shown = std::round(shown / bench.resolution) * bench.resolution;
    ramp.time.push_back(time);
    ramp.torque.push_back(bench.torque_gain * torque + bench.torque_offset + kTorqueNoise * noise.normal());
    ramp.displacement.push_back(shown);
    if (bench.clamp_is_seen) result.output_position.push_back(moved + kTwistNoise * noise.normal());
    error = memory * error + std::sqrt(1.0 - memory * memory) * kTwistNoise * noise.normal();
  }
  result.parts = {{0, ramp.size(), true, true}};
  return result;
}

// The interval is for one more file: for the gear in one more position of its teeth.
Answer answer_to(const HostileBench& bench, std::uint64_t seed) {
  Random teeth(seed, "teeth"), noise(seed, "noise");
  std::vector<HysteresisRecord> records;
  for (int i = 0; i < kFiles; ++i) {
    const Position at = draw(teeth);
    records.push_back(record_of(bench, at, noise));
  }
  HysteresisTest test;
  test.spec = {HysteresisDefinition::tauhat, kRated, {}};
  test.torque_std = bench.torque_gain_std;
  const HysteresisOutcome outcome = evaluate(records, test);
  const Position next = draw(teeth);
  return {outcome.results,
          outcome.diagnostics,
          {{"backlash.gap", next.gap - 2.0 * kFriction / next.stiffness},
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
           [](Bench& b, double share) { b.torque_offset = share * kRated; }},
          {"zero that drifts",
           {{"1 % of the gap a loop", 0.01}, {"10 % of the gap a loop", 0.1}},
           [](Bench& b, double share) { b.twist_drift = share * kGap * kRate / (4.0 * kLargest); }},
          {"twist that lags", {{"50 ms", 0.05}, {"0.5 s", 0.5}}, [](Bench& b, double lag) { b.lag = lag; }},
          {"clamp that yields",
           {{"2 % of the gear", 0.02}, {"20 % of the gear", 0.2}},
           [](Bench& b, double share) { b.clamp_compliance = share / kStiffness; }},
          {"clamp that yields, and is seen",
           {{"20 % of the gear", 0.2}},
           [](Bench& b, double share) { b.clamp_compliance = share / kStiffness, b.clamp_is_seen = true; }},
          {"coupling that slips",
           {{"2 % of the gap", 0.02}, {"20 % of the gap", 0.2}},
           [](Bench& b, double share) { b.jump = share * kGap; }},
          {"quantisation",
           {{"1 % of the gap", 0.01}, {"20 % of the gap", 0.2}},
           [](Bench& b, double share) { b.resolution = share * kGap; }},
          {"coloured noise", {{"0.1 s", 0.1}}, [](Bench& b, double memory) { b.noise_memory = memory; }}};
}

}  // namespace

std::vector<Cell> bench_cells() {
  std::vector<Cell> cells;
  add_cells("bench test", HostileBench{},
            {{"backlash.gap", kGap - 2.0 * kFriction / kStiffness}, {"transmission.torsional_rigidity", kStiffness}},
            answer_to, misfits(), cells);
  return cells;
}

}  // namespace tauhat::limits
