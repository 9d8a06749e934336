#include "tauhat/offline/reproduce/limits_gear.hpp"

#include <cmath>

namespace tauhat::limits {
namespace {

constexpr double kTorqueNoise = 0.02, kTwistNoise = 5e-6;     // N m, rad
constexpr double kGapSpread = 2e-5, kStiffnessSpread = 0.01;  // from one position of the teeth to the next

}  // namespace

TeethPosition draw_teeth(Random& random) {
  return {kBenchGap + kGapSpread * random.normal(), kBenchStiffness * (1.0 + kStiffnessSpread * random.normal())};
}

HysteresisRecord bench_record(const HostileBench& bench, const TeethPosition& at, Random& noise) {
  HysteresisRecord result;
  TorqueRamp& ramp = result.ramp;
  ramp.source = "bench";
  const std::size_t samples = bench.ramps.samples();
  const double memory = bench.noise_memory > 0.0 ? std::exp(-bench.ramps.period / bench.noise_memory) : 0.0;
  GearOnBench gear({at.gap, at.stiffness, bench.friction});
  double seen = 0.0, error = kTwistNoise * noise.normal();
  for (std::size_t k = 0; k < samples; ++k) {
    const double time = static_cast<double>(k) * bench.ramps.period, torque = bench.ramps.torque(time);
    const double moved = bench.clamp_compliance * torque;
    const double twist = gear.twist(torque) + moved;
    seen = bench.lag > 0.0 ? seen + bench.ramps.period / bench.lag * (twist - seen) : twist;
    double shown = seen + bench.twist_drift * time + (2 * (k + 1) > samples ? bench.jump : 0.0) + error;
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

}  // namespace tauhat::limits
