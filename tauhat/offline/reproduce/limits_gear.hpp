// The gear on a test bench of the grid: a dead zone and a spring behind Coulomb friction, on loops of torque, by
// sensors and a clamp that may spoil what they show.
#pragma once

#include "tauhat/offline/gearbox/gear_on_bench.hpp"
#include "tauhat/offline/gearbox/hysteresis_test.hpp"
#include "tauhat/offline/simulate/random.hpp"

namespace tauhat::limits {

inline constexpr double kBenchRated = 10.0;                          // N m
inline constexpr double kBenchGap = 2e-3, kBenchStiffness = 5000.0;  // rad, N m/rad

struct HostileBench {
  TorqueLoops ramps{.loops = 3, .largest = 1.1 * kBenchRated, .rate = 2.0, .period = 2e-3};
  double friction = 0.2;                            // N m
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
struct TeethPosition {
  double gap, stiffness;
};
TeethPosition draw_teeth(Random& random);

// One file.
HysteresisRecord bench_record(const HostileBench& bench, const TeethPosition& at, Random& noise);

}  // namespace tauhat::limits
