// A log of several elastic axes with known truth: motors, elastic gears and links, the links by their mass matrix or by
// an arm's dynamics. A slow position control of each motor keeps the axes at their pose, or on a sine about it, and
// carries their weight there; the excitation adds to its torque. No friction but the viscous one.
#pragma once

#include <cstdint>
#include <functional>

#include "tauhat/offline/joint/axes_spec.hpp"
#include "tauhat/offline/replay/estimator.hpp"
#include "tauhat/offline/simulate/simulate.hpp"

namespace tauhat {

struct SimulatedAxes {
  Simulated data;                   // one sensor for each of spec.sensors
  std::vector<OutputInfo> outputs;  // what its truth is, axis by axis
};

// Same seed, same bytes.
SimulatedAxes simulate_axes(const AxesSpec& spec, const SimulationSpec& simulation, std::uint64_t seed,
                            const std::function<void(double)>& progress = {});

}  // namespace tauhat
