// A simulated log of a powertrain: the rows of its command and sampled sensors, and the pulses of its wheels.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "tauhat/offline/gap/gap_estimator.hpp"
#include "tauhat/offline/log/pulses.hpp"
#include "tauhat/offline/simulate/powertrain_truth.hpp"
#include "tauhat/offline/simulate/simulate.hpp"

namespace tauhat {

struct SimulatedPowertrain {
  Simulated rows;                          // `sensors` has a column for each that is not a wheel
  std::vector<std::vector<Pulse>> pulses;  // of each wheel, in the order of the sensors
};

// `wheels[i]` of the sensor i; a wheel without teeth: it is sampled.
SimulatedPowertrain simulate_powertrain(const GapSpec& spec, const SimulationSpec& simulation,
                                        const std::vector<PulseSpec>& wheels, std::uint64_t seed,
                                        const std::function<void(double)>& progress = {});

}  // namespace tauhat
