// The plants that the simulator's tests share.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "tauhat/core/models/drive_with_law.hpp"
#include "tauhat/core/transmission/linear_spring.hpp"
#include "tauhat/offline/simulate/simulate.hpp"

namespace tauhat {

using DeadZoneDrive = DriveWithLaw<double, CoulombAtan, DeadZone>;
using SpringDrive = DriveWithLaw<double, CoulombAtan, LinearSpring>;

// Hovland et al. 2002, simulation 1: no Coulomb friction, motor held by position control.
inline DeadZoneDrive hovland_sim1() {
  DeadZoneDrive plant;
  plant.drive.motor_inertia = 0.006442;
  plant.drive.load_inertia = 0.023454;
  plant.drive.damping = 0.01;
  plant.drive.position_gain = 1.0;
  plant.drive.motor_friction = {.coulomb = 0.0, .viscous = 0.2, .width = 0.01};
  plant.law = {.stiffness_positive = 37.0, .stiffness_negative = 37.0, .gap = 0.2, .offset = 0.0};
  return plant;
}

// Simulation 2: Coulomb friction, stiff at standstill (2e4 1/s).
inline DeadZoneDrive hovland_sim2() {
  DeadZoneDrive plant;
  plant.drive.motor_inertia = 0.0008;
  plant.drive.load_inertia = 0.001765;
  plant.drive.damping = 0.01;
  plant.drive.motor_friction = {.coulomb = 0.27, .viscous = 0.01, .width = 0.01};
  plant.law = {.stiffness_positive = 79.0, .stiffness_negative = 79.0, .gap = 0.1, .offset = 0.0};
  return plant;
}

// Simulation 2 without any loss, and its contacts in closed form.
inline DeadZoneDrive lossless_drive() {
  DeadZoneDrive plant = hovland_sim2();
  plant.drive.damping = 0.0;
  plant.drive.motor_friction = {.coulomb = 0.0, .viscous = 0.0, .width = 0.01};
  return plant;
}

inline Excitation constant_torque(double torque) {
  Excitation excitation;
  excitation.amplitude = torque;
  return excitation;
}

inline Excitation three_sines() {
  Excitation excitation;
  excitation.kind = Excitation::Kind::sines;
  excitation.ramp = 0.2;
  const double drawn = std::nan("");
  excitation.tones = {{1.7, 4.0, drawn}, {2.9, 4.0, drawn}, {4.3, 4.0, drawn}};
  return excitation;
}

inline Excitation fair_bits(double amplitude, double hold) {
  Excitation excitation;
  excitation.kind = Excitation::Kind::prbs;
  excitation.amplitude = amplitude;
  excitation.hold = hold;
  return excitation;
}

inline double largest_difference(const std::vector<double>& a, const std::vector<double>& b) {
  double largest = a.size() == b.size() ? 0.0 : std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) largest = std::max(largest, std::abs(a[i] - b[i]));
  return largest;
}

}  // namespace tauhat
