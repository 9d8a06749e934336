// An identified axis run forwards, beside the record it came from:
//   load = force - viscous(+-) v - coulomb(+-) sign(v) - load(+-) |load| sign(v) - offset
//   mass a = load - sine sin(q) - cosine cos(q),   at rest while Coulomb friction holds what is left
// Open loop, by the measured force, every error of the model is integrated twice and the position drifts. In closed
// loop the axis is driven by the record's own controller, and the force shows the model's error (EMPS benchmark).
#pragma once

#include <string>
#include <vector>

#include "tauhat/offline/friction/regression.hpp"

namespace tauhat {

struct RigidAxis {
  struct Friction {
    double viscous = 0.0, coulomb = 0.0, load = 0.0;
  };
  double mass = 0.0, gravity_sine = 0.0, gravity_cosine = 0.0, offset = 0.0;
  Friction positive, negative;

  double acceleration(double force, double position, double velocity, double direction) const;
  bool rests(double force, double position) const;
};

// Throws Error (unusable_data) where the record could not tell a parameter of the fit.
RigidAxis axis_of(const RegressionFit& fit);

// Position and velocity loop in cascade, each with a gain, sampled with the record:
//   force_k = velocity_gain (position_gain (reference_k - q_k) - (q_k - q_{k-2}) / (2 T)),   |force| <= limit
// The velocity is the mean of the last two differences, as the benchmark's drive has it.
struct CascadeController {
  double position_gain = 0.0;  // 1/s
  double velocity_gain = 0.0;  // N s/m, or N m s/rad
  double limit = 0.0;          // N, or N m
};

struct ForwardRun {
  std::vector<double> position, velocity, force;
  double position_error = 0.0, force_error = 0.0;                    // root mean square
  double relative_position_error = 0.0, relative_force_error = 0.0;  // |difference| / |measured|
};

ForwardRun run_open_loop(const RigidAxis& axis, const AxisRecord& record);
ForwardRun run_closed_loop(const RigidAxis& axis, const AxisRecord& record, const CascadeController& controller,
                           const std::vector<double>& reference);

}  // namespace tauhat
