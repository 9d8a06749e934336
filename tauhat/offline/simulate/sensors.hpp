// A sensor: what it makes of the true value of its signal at t - delay.
//   noise, then saturation, then quantisation, then perhaps nothing (NaN)
#pragma once

#include <cstdint>
#include <vector>

#include "tauhat/core/signal.hpp"
#include "tauhat/offline/simulate/simulate.hpp"

namespace tauhat {

// Turns true values into readings, in place. The noise of sensor `number` depends on (seed, number) alone:
// neither other sensors nor its own resolution, limit and dropout change it.
void read_sensor(const Sensor& sensor, std::uint64_t seed, std::size_t number, std::vector<double>& values);

// The same of a whole record that is sampled with `period`, with the sensor's delay in whole samples.
std::vector<double> late_readings(const Sensor& sensor, std::size_t number, double period, std::uint64_t seed,
                                  const std::vector<double>& truth);

// Refuses sensors of unknown signals (naming the nearest one) and values that make no sense.
void check_sensor(const Sensor& sensor, const std::vector<Signal>& outputs);

}  // namespace tauhat
