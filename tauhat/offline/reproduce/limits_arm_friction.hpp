// Friction of an arm's joints that no study of the grids knows.
#pragma once

#include <cmath>

#include "tauhat/offline/reproduce/limits_arm.hpp"
#include "tauhat/offline/reproduce/limits_misfit.hpp"

namespace tauhat::limits {

inline double direction_of(double velocity) { return std::tanh(velocity / 0.05); }

// A share of the torque that the gear transmits.
inline Misfit<HostileArm> friction_under_load() {
  return {"friction under load", {{"2 %", 0.02}, {"10 %", 0.1}}, [](HostileArm& arm, double share) {
            arm.beside = [share](const JointInstant& at) {
              return share * std::abs(at.load) * direction_of(at.velocity);
            };
          }};
}

}  // namespace tauhat::limits
