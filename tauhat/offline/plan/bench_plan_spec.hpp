// [plan] of a bench test: what is to be told, how long the bench may be used, and what is believed of the gear.
#pragma once

#include <string>

#include "tauhat/offline/gearbox/gear_on_bench.hpp"

namespace tauhat {

struct BenchPlanSpec {
  std::string quantity;             // the result whose interval is to be narrow
  double torque = 0.0;              // N m at the output, where the ramps turn
  double fastest = 0.0;             // N m/s at the output
  double duration = 0.0;            // s, of the whole test
  double change = 0.0;              // s, from one position of the output to the next
  double period = 0.0;              // s, of the log
  Gear gear{};                      // as it is believed to be
  double spread = 0.0;              // relative std of gap and stiffness from one position to the next
  double torque_noise = 0.0;        // N m, std at the output
  double displacement_noise = 0.0;  // rad, std at the output
};

}  // namespace tauhat
