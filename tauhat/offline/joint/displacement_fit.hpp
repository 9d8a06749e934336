// What motor and load encoders together tell of a joint without exciting it: how far it yields under its torque, and
// that their clocks differ.
//   q_m / N - q_l = tau / K + skew w + offset + loss sign(w) + noise
// A skew of a few milliseconds looks like the displacement of a soft joint at every speed: it is fitted along.
#pragma once

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

namespace tauhat {

struct DisplacementRecord {
  double period = 0.0;                                 // s
  std::vector<double> displacement, velocity, torque;  // rad, rad/s, N m, at the load side
};

// What is recorded of a joint: positions of motor and load, rad, and the motor's torque, N m.
struct JointRecord {
  const std::vector<double>&motor, &load, &torque;
};
struct MotorSide {
  double ratio = 1.0, inertia = 0.0, viscous = 0.0;
};
DisplacementRecord displacement_record(const JointRecord& given, const MotorSide& side, double period);

// Below what encoders and their rounding leave of the rates of positions.
std::vector<double> in_motion_band(const std::vector<double>& values, double period);

struct FittedNumber {
  double value = 0.0, std = 0.0;
};

struct DisplacementFit {
  FittedNumber skew;             // s; positive: the load's channel comes late
  FittedNumber compliance;       // rad/(N m)
  FittedNumber offset;           // rad
  FittedNumber loss;             // rad: half of what the displacement falls back when the axis turns
  double residual = 0.0;         // rad rms
  double spread = 0.0;           // rad rms of the displacement itself
  std::vector<double> fitted{};  // one a sample

  // Whether the clocks differ by more than chance and a tenth of a sample would have it.
  bool has_skew(double period) const noexcept { return std::abs(skew.value) > std::max(4.0 * skew.std, 0.1 * period); }
  // Stiffness, where the torque moved the joint at all.
  bool has_stiffness() const noexcept { return compliance.value > 4.0 * compliance.std; }
  FittedNumber stiffness() const noexcept {
    return {1.0 / compliance.value, compliance.std / (compliance.value * compliance.value)};
  }
};

// Samples that are not finite are left out. Throws Error (unusable_data) where nothing moves.
DisplacementFit fit_displacement(const DisplacementRecord& record, const std::string& source);

}  // namespace tauhat
