// What motor and load encoders tell of a joint's yielding: both positions and the torque between them, all through the
// same zero-phase filter, so that what holds of one instant holds of the filtered signals, whatever the band:
//   tau_k = N ((u_{k-1} + u_k) / 2 - J_m (q_{k+1} - 2 q_k + q_{k-1}) / h^2 - b_m w_k)
// which is exact for a torque that is held between samples: all terms are the same mean over two samples, as which the
// positions are taken, too,
//   q_k <- (q_{k-1} + 10 q_k + q_{k+1}) / 12
// Friction of the motor is still in it: Coulomb's, and the share of the torque that the teeth take.
#pragma once

#include <string>
#include <vector>

namespace tauhat {

// What is recorded of a joint: positions of motor and load, rad, and the motor's torque, N m.
struct JointRecord {
  const std::vector<double>&motor, &load, &torque;
};
struct MotorSide {
  double ratio = 1.0, inertia = 0.0, viscous = 0.0;
};

// At the load side, filtered. What is missing is NaN in `load`.
struct DisplacementRecord {
  double period = 0.0;                       // s
  double band = 0.0;                         // Hz, of the filter; 0: there was none
  std::vector<double> motor, load;           // rad
  std::vector<double> torque;                // N m
  std::vector<double> direction;             // of the motor's travel, -1 to 1
  std::vector<double> displacement() const;  // rad
};
DisplacementRecord displacement_record(const JointRecord& given, const MotorSide& side, double period);

// What is missing, on the line between its neighbours; before the first, and after the last, as that.
std::vector<double> bridged(const std::vector<double>& values);

// Below what encoders and their rounding leave of the rates of positions.
std::vector<double> in_motion_band(const std::vector<double>& values, double period);

}  // namespace tauhat
