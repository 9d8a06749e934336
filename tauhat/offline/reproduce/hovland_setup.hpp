// The experiments of Hovland et al. 2002, sections 5 to 7: plants, excitation, sensors. What the paper leaves out was
// chosen; docs/derivations/backlash.md says why.
#pragma once

#include <cstdint>

#include "tauhat/offline/drive/two_mass.hpp"
#include "tauhat/offline/replay/timeline.hpp"
#include "tauhat/offline/simulate/simulate.hpp"

namespace tauhat::hovland {

struct Experiment {
  Drive drive;
  DeadZone<double> law;
  bool sines = false;  // three sines (simulation 1), else random bits (simulations 2 and 3)
  bool measures_load = true;
  double amplitude = 2.0;      // N m, of the bits, or of each sine
  double torque_offset = 0.0;  // N m, added to the excitation
  double noise = 0.3;          // rad/s, of each velocity
  double position_noise = 0;   // rad: positions are measured instead; 0: velocities
  double period = 5e-4;        // s
  double duration = 3.0;
};

Experiment simulation_1(double gap = 0.2, double stiffness = 37.0);
Experiment simulation_2(double gap = 0.1, double stiffness = 79.0, double noise = 0.3);

struct Record {
  Timeline timeline;
  std::vector<double> true_torque;  // of the transmission
};

// How it is excited, seen and integrated.
SimulationSpec simulation_of(const Experiment& experiment);

Record record(const Experiment& experiment, std::uint64_t seed);

}  // namespace tauhat::hovland
