// How slowly a powertrain may be looked at: in contact its two inertias swing against each other,
//   T = 2 pi / sqrt(k (1 / (i^2 J_m) + 1 / J_l)),  undamped.
#pragma once

#include <cmath>
#include <numbers>

#include "tauhat/core/models/powertrain.hpp"

namespace tauhat {

inline double swing_period(const Powertrain<double>& drive) {
  const double inverse_inertia = 1.0 / (drive.ratio * drive.ratio * drive.motor_inertia) + 1.0 / drive.load_inertia;
  return 2.0 * std::numbers::pi / std::sqrt(drive.stiffness * inverse_inertia);
}

}  // namespace tauhat
