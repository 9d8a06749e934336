// A whole hysteresis-curve test: several loops, one file or several, to results with their uncertainty, and whether
// they can be trusted.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "tauhat/offline/gearbox/hysteresis.hpp"
#include "tauhat/offline/report/report.hpp"

namespace tauhat {

struct HysteresisTest {
  HysteresisSpec spec;
  double torque_std = 0.0, displacement_std = 0.0;  // relative, of the calibrations
  // One ratio may be in both: torque at the motor is multiplied by it, position divided.
  double ratio_std = 0.0;                                     // relative
  double torque_by_ratio = 0.0, displacement_by_ratio = 0.0;  // powers: 0 or 1, 0 or -1
};

// One file: the ramp, and which of its samples belong to which part of the test.
struct HysteresisRecord {
  TorqueRamp ramp;
  struct Part {
    std::size_t first = 0, last = 0;
    bool gives_widths = true, gives_slopes = true;  // small ramps are for the play, large ones for the stiffness
  };
  std::vector<Part> parts;
  std::vector<double> output_position{};  // rad, where it is measured: it must not move
};

struct HysteresisOutcome {
  std::vector<LoopResult> loops;
  std::vector<Result> results;
  std::vector<Diagnostic> diagnostics;
};

// The names of all quantities that a test by this definition can give.
std::vector<std::string> hysteresis_quantities(const HysteresisSpec& spec);

// Displacement counted against the torque is turned around. Throws Error (unusable_data) where there is no loop.
HysteresisOutcome evaluate(std::vector<HysteresisRecord>& records, const HysteresisTest& test);

}  // namespace tauhat
