// The drives and filters that tests share.
#pragma once

#include "support/core_types.hpp"
#include "tauhat/core/filters/ekf.hpp"

namespace tauhat {

// Hovland et al. 2002, simulation 2, the torque free: motor and load with friction, 10 N m/sqrt(s) of
// wandering.
inline FreeTorqueDrive<double> hovland_drive(double coulomb = 0.27) {
  FreeTorqueDrive<double> drive;
  drive.model.motor_inertia = 0.0008;
  drive.model.load_inertia = 0.001765;
  drive.model.damping = 0.01;
  drive.model.motor_friction = {.coulomb = coulomb, .viscous = 0.01, .width = 0.01};
  drive.model.noise << 0.0, 0.0, 1e-2, 1e-2;
  drive.intensity = 10.0;
  return drive;
}

using HovlandFilter = Ekf<FreeTorqueDrive<double>>;

inline Gaussian<double, 5> hovland_prior() {
  Vector<double, 5> variances;
  variances << 1e-4, 1e-4, 1.0, 1.0, 1.0;
  return Gaussian<double, 5>::from_variances(Vector<double, 5>::Zero(), variances);
}

inline bool same_bits(const Gaussian<double, 5>& a, const Gaussian<double, 5>& b) {
  return a.mean == b.mean && a.padded_covariance == b.padded_covariance;
}

}  // namespace tauhat
