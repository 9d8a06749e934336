// An axis followed by a slow observer, so that its innovations are linear in every force that acts:
//   x' = A x + B (u - F) / M + L (y - C x)
// A column of force gives a column of innovations; what is left of the innovations of the measured position (or, where
// that was not recorded, velocity) is, for the right law, the sensor's noise. (Slow, because a fast one would explain
// friction by correcting.)
#pragma once

#include <Eigen/Core>

#include <vector>

#include "tauhat/core/models/axis.hpp"
#include "tauhat/offline/replay/timeline.hpp"

namespace tauhat {

// The sensor that an axis is observed by: of its position, where there is one.
const Timeline::Sensor& observed_sensor(const Timeline& timeline);

// Samples of one axis at equal intervals, and the force known to act.
struct AxisSamples {
  double period = 0.0;
  bool is_velocity = false;      // what was measured; else it is the position
  std::vector<double> measured;  // NaN: no sample
  std::vector<double> force;     // applied less gravity and offset; held over each interval
  std::vector<char> sticks;      // intervals in which the axis stands: friction is then what is applied, by any law
};

// The motion as it was smoothed: what gravity acts, and where the axis stands (slower than `standstill`).
struct SmoothMotion {
  const std::vector<double>&position, &velocity;
  double standstill = 0.0;
  double noise = 0.0;  // of the position, rad
};

AxisSamples axis_samples(const Axis<double>& axis, const Timeline& timeline, const SmoothMotion& motion);

class SlowObserver {
 public:
  // To four inputs at once, one a row: each sample waits for the one before it, but they do not wait for each other.
  struct Response {
    Eigen::Array4Xd innovation, velocity;
  };

  // `bandwidth` in rad/s.
  SlowObserver(const Axis<double>& axis, const AxisSamples& samples, double bandwidth);

  // To one unit of position at the start, one of velocity, a constant force against motion, and to what was measured:
  // y and the known force, without friction.
  Response of_motion() const;
  // Whether the start of the position shows in what was measured.
  bool sees_position() const { return sees_position_; }
  // To forces against motion, one value an interval.
  Response of_forces(const Eigen::Array4Xd& forces) const;

 private:
  struct States {
    Eigen::Array4d position, velocity;
  };
  // Of input k: `measured(k)` is what the sensors say, `force(k)` what acts.
  template <class Measured, class Force>
  Response run(States x, const Measured& measured, const Force& force) const;

  const AxisSamples& samples_;
  Matrix<double, 2> transition_;
  Vector<double, 2> by_force_, gain_;
  bool sees_position_;
};

}  // namespace tauhat
