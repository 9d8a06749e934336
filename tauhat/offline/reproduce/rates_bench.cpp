// Gearboxes on the test bench: ramps that do not reach far enough, loops that are missing, clamps that yield.
#include "tauhat/offline/reproduce/limits_gear.hpp"
#include "tauhat/offline/reproduce/rates.hpp"

namespace tauhat::rates {
namespace {

using limits::HostileBench, limits::kBenchGap, limits::kBenchRated, limits::kBenchStiffness;

struct Bench {
  HostileBench bench;
  bool has_play_ramps = true, has_stiffness_ramps = true;
};

// Two files, each with the teeth in another position.
std::vector<Diagnostic> answer_to(const Bench& b, std::uint64_t seed) {
  Random teeth(seed, "teeth"), noise(seed, "noise");
  std::vector<HysteresisRecord> records;
  for (int file = 0; file < 2; ++file) {
    const limits::TeethPosition at = limits::draw_teeth(teeth);
    records.push_back(limits::bench_record(b.bench, at, noise));
    for (HysteresisRecord::Part& part : records.back().parts)
      part.gives_widths = b.has_play_ramps, part.gives_slopes = b.has_stiffness_ramps;
  }
  HysteresisTest test;
  test.spec = {HysteresisDefinition::tauhat, kBenchRated, {}};
  return evaluate(records, test).diagnostics;
}

Provocation of_bench(const char* diagnostic, const char* by, void (*provoke)(Bench&, Random&), const Bench& without) {
  return {diagnostic, by, [provoke, without](std::uint64_t seed, bool is_provoked) {
            Bench bench = without;
            bench.bench.ramps.period = 5e-3;
            Random random(seed, "size");
            if (is_provoked) provoke(bench, random);
            return answer_to(bench, seed);
          }};
}

// ---- ramps

void ramp_hardly(Bench& b, Random& random) {
  b.bench.ramps.largest = random.uniform(0.01, 0.028) * kBenchRated;
  b.bench.ramps.rate = 0.05, b.bench.friction = 0.05;
}
void ramp_not_far_enough(Bench& b, Random& random) { b.bench.ramps.largest = random.uniform(0.4, 0.95) * kBenchRated; }
void take_no_play_ramps(Bench& b, Random&) { b.has_play_ramps = false; }
void take_no_stiffness_ramps(Bench& b, Random&) { b.has_stiffness_ramps = false; }
void ramp_once(Bench& b, Random& random) { b.bench.ramps.loops = 1, b.bench.friction = random.uniform(0.2, 1.0); }

// Of two loops, one does not begin at rest.
std::vector<Diagnostic> one_loop(std::uint64_t seed, bool is_provoked) {
  Random teeth(seed, "teeth"), noise(seed, "noise");
  HostileBench bench;
  bench.ramps.period = 5e-3;
  bench.ramps.loops = is_provoked ? 2 : 3;
  std::vector<HysteresisRecord> records{limits::bench_record(bench, limits::draw_teeth(teeth), noise)};
  HysteresisTest test;
  test.spec = {HysteresisDefinition::tauhat, kBenchRated, {}};
  return evaluate(records, test).diagnostics;
}

// ---- the bench

void drift(Bench& b, Random& random) {
  const double share = random.uniform(0.06, 0.2);
  b.bench.twist_drift = (random.bit() ? share : -share) * kBenchGap / b.bench.ramps.loop_duration();
}
void lag_behind(Bench& b, Random& random) { b.bench.lag = random.uniform(0.2, 0.6); }
void yield_of_the_clamp(Bench& b, Random& random) {
  b.bench.clamp_compliance = random.uniform(0.15, 0.4) / kBenchStiffness;
}
void slip(Bench& b, Random& random) { b.bench.jump = random.uniform(4e-3, 8e-3) * (random.bit() ? 1.0 : -1.0); }

}  // namespace

std::vector<Provocation> of_bench_tests() {
  const Bench good, with_a_sensor_at_the_clamp{.bench = {.clamp_is_seen = true}};
  return {
      of_bench("test.torque_too_small", "ramps to 1 to 2.8 % of the rated torque", ramp_hardly, good),
      of_bench("test.rated_torque_not_reached", "ramps to 40 to 95 % of the rated torque", ramp_not_far_enough, good),
      of_bench("test.no_play_ramp", "`ramps.play` that takes none of the ramps", take_no_play_ramps, good),
      of_bench("test.no_stiffness_ramp", "`ramps.stiffness` that takes none of the ramps", take_no_stiffness_ramps,
               good),
      {"test.one_loop", "one file of two loops, the first from rest, instead of three", one_loop},
      of_bench("test.starts_from_rest", "files of one loop", ramp_once, good),
      of_bench("test.drifts", "a zero that drifts by 6 to 20 % of the gap a loop", drift, good),
      of_bench("test.too_fast", "a twist that lags by 0.2 to 0.6 s", lag_behind, good),
      of_bench("test.output_moved", "a clamp with 15 to 40 % of the gear's compliance, and a sensor there",
               yield_of_the_clamp, with_a_sensor_at_the_clamp),
      of_bench("test.output_moved", "a coupling that slips by 4 to 8 mrad", slip, good)};
}

}  // namespace tauhat::rates
