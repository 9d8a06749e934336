// The motion of an axis from a record of its position: filtered without delay, differentiated, and trimmed at both
// ends.
//
//   v = d/dt (h * q),   a = d/dt v,   h a zero-phase Butterworth filter of order 4
// A measured velocity takes the place of the derivative. With it goes what the sensor's noise becomes on the way.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace tauhat {

inline constexpr int kMotionFilterOrder = 4;

struct AxisRecord {
  std::string source;                          // file, for messages
  double period = 0.0;                         // s, the same between all samples
  std::vector<double> position{}, velocity{};  // velocity may be empty: it is then the derivative of the position
  std::vector<double> force{};                 // N, or N m where the axis turns
};

// The record filtered, differentiated and trimmed, at its own rate.
struct AxisMotion {
  double start = 0.0, period = 0.0;  // s
  std::vector<double> position, velocity, acceleration, force;
  double velocity_noise = 0.0;  // deviation of what the sensor's noise leaves after the filter

  std::size_t size() const noexcept { return force.size(); }
};

// `cut_off` in Hz, 0: no filter; `trimmed` in s, at each end. Throws Error (unusable_data) where the record has holes,
// is too short or too slow.
AxisMotion differentiate_axis(const AxisRecord& record, double cut_off, double trimmed);

// What filter, differences and decimation leave of the sensor's noise: deviations.
struct MotionNoise {
  double velocity = 0.0, acceleration = 0.0;
};
MotionNoise noise_of_motion(const AxisRecord& record, double cut_off, int decimation);

// A force that is held from t_k to t_{k+1} acts half a period after t_k; the mean with its predecessor acts at t_k.
std::vector<double> centred(const std::vector<double>& held);

}  // namespace tauhat
