// The friction curve of an axis from the sections of a record in which it runs at constant speed.
//
//   friction(v) = mean of (force - sine sin(q) - cosine cos(q) - offset) over the sections at speed v
// for each direction, and for speeds that were stepped up to (rising) and down to (falling): friction remembers. Then,
// for each direction, |friction| = coulomb + viscous |v| through the points (thesis, section 3.8, method 2).
//
// A constant force acts like friction that is larger one way than the other:
//   force(+) = coulomb(+) + offset,   -force(-) = coulomb(-) - offset
// so that without a given offset only the mean of the two levels is told.
#pragma once

#include <vector>

#include "tauhat/offline/friction/axis_motion.hpp"
#include "tauhat/offline/friction/constant_speed_options.hpp"
#include "tauhat/offline/friction/coulomb_line.hpp"

namespace tauhat {

struct CoulombLevel {
  double value = 0.0, std = 0.0;
};

struct SpeedCurve {
  std::vector<SpeedPoint> points;  // by speed, then step
  FrictionLine positive, negative;
  Gravity gravity;                  // what was removed
  bool offset_is_given = true;      // else it is what makes both directions alike, whatever their friction
  double coulomb_covariance = 0.0;  // of both directions: a gravity that is fitted moves both

  // Mean of both directions, which no constant force moves.
  CoulombLevel mean_coulomb() const;
};

// Throws Error (unusable_data) where no section is long enough, or where gravity is asked from one direction.
SpeedCurve friction_curve(const AxisRecord& record, const ConstantSpeedOptions& options);

}  // namespace tauhat
