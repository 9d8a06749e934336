// The poles of a Luenberger observer, all faster or slower by one factor: fast ones forget the motor's friction sooner
// and let more of the sensor's noise through. Of the link velocity's error:
//   variance = q c P_1 c^T + c P_R c^T,   P = (A - L C) P (A - L C)^T + Q + L R L^T
// P_1 belongs to a white torque of unit density at the motor, P_R to the sensor's noise alone. How large q is, the
// record says: so that the innovation of the study's own poles has the mean square that was seen. No reference is
// needed.
#pragma once

#include <vector>

#include "tauhat/offline/joint/joint_spec.hpp"
#include "tauhat/offline/replay/timeline.hpp"

namespace tauhat {

struct SweptPoles {
  double factor = 1.0;     // of the study's frequencies
  double settling = 0.0;   // s, until one per cent of a start error is left
  double noise = 0.0;      // rad/s rms of the link's velocity by the sensor
  double remainder = 0.0;  // rad/s rms that friction and its like leave
  double error() const noexcept;
};

struct PoleSweep {
  std::vector<SweptPoles> points;  // by rising factors
  std::size_t best = 0;
  double torque_noise = 0.0;  // N m/sqrt(Hz) at the motor, from the record
  ObserverSpec observer;      // with the best poles
};

// Throws Error (wrong_use) where the observer has no poles, and (untrusted) where it does not follow the records.
PoleSweep sweep_poles(const JointSpec& spec, const ObserverSpec& observer, const std::vector<Timeline>& records,
                      double period);

}  // namespace tauhat
