// The powertrain of the grid of its gap, and a record of it in memory: by the study's wheels, of a drive that may not
// be the study's.
#pragma once

#include <cstdint>

#include "tauhat/offline/gap/gap_estimator.hpp"
#include "tauhat/offline/log/log.hpp"
#include "tauhat/offline/study/study.hpp"

namespace tauhat::limits {

// As studies/powertrain, with the commands of Lagerberg and Egardt.
inline constexpr const char* kPowertrainStudy = R"toml(
[drive]
model = "powertrain"
motor = { inertia = 0.3, lag = "0.1 s", delay = "30 ms" }
load = { inertia = 140, damping = 5.6 }
transmission = { ratio = 12, stiffness = 1e4, damping = 120 }
backlash.gap = { value = "60 mrad", std = "20 mrad" }
[noise]
load.torque = "15 N m/sqrt(s)"
motor.torque = "30 N m/sqrt(s)"
[log]
time = { column = "time", unit = "s" }
[log.channels]
"motor.command" = { column = "command", unit = "N m" }
"motor.position" = { stamps = "engine", teeth = 60, missing = 2, std = "1 mrad" }
"load.position" = { stamps = "wheel", teeth = 48, std = "2.6 mrad" }
[simulate]
duration = "16 s"
rate = "1 kHz"
load_torque = "100 N m"
torque_noise = "1 N m"
start.velocity = "10 rad/s"
sensors."motor.position".tooth_error = 0.01
sensors."load.position".tooth_error = 0.02
input = { kind = "steps", times = [0, 1, 2.5, 4, 5, 6.2, 7.5, 9, 10.5, 11.7, 13.2, 14.4], levels = [30, -25, 70, -25, 50, -25, 40, -20, 90, -30, 30, -25] }
)toml";

struct HostilePowertrain {
  Study study = parse_study(kPowertrainStudy, "study");  // what is believed
  GapSpec truth = *study.powertrain;
  double command_gain = 1.0;          // of the log's, over what acts
  double stamp_jitter = 0.0;          // s
  double lost = 0.0, spurious = 0.0;  // shares of the wheel's pulses
};

Log powertrain_log(const HostilePowertrain& powertrain, std::uint64_t seed);

}  // namespace tauhat::limits
