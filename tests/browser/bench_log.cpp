// A gear on the bench as a study and a log: bench_log STUDY.toml LOG.csv
#include <fmt/format.h>

#include <fstream>

#include "support/gear_on_bench.hpp"

int main(int count, char** arguments) {
  if (count != 3) return 2;
  std::ofstream(arguments[1]) << R"toml([test]
kind = "hysteresis-curve"
definition = "nabtesco"
rated_torque = "10 N m"
part = "<b>gear</b> no 7"
date = 2026-03-01

[log]
time = { column = "t", unit = "s" }
[log.channels]
"transmission.torque" = { column = "torque", unit = "N m" }
"load.position" = { column = "angle", unit = "rad" }

[accept]
"backlash.lost_motion" = "<= 10 arcmin"
"backlash.hysteresis_loss" = "<= 1 arcmin"
)toml";
  const tauhat::GearOnBench gear{
      .twist = tauhat::flanks(2e-3, 5000.0, 0.1, 0.02), .period = 5e-3, .torque_noise = 0.01, .twist_noise = 5e-6};
  const tauhat::TorqueRamp ramp = gear.record().ramp;
  std::ofstream log(arguments[2]);
  log << "t,torque,angle\n";
  for (std::size_t k = 0; k < ramp.size(); ++k)
    log << fmt::format("{},{},{}\n", ramp.time[k], ramp.torque[k], ramp.displacement[k]);
}
