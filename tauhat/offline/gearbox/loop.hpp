// A recorded hysteresis test cut into loops: torque up, back through zero, down, back.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace tauhat {

// Torque and displacement at the output side, as recorded.
struct TorqueRamp {
  std::string source;  // file, for messages
  std::vector<double> time, torque, displacement;

  std::size_t size() const noexcept { return time.size(); }
};

// A stretch of samples [first, last) in which the torque rises or falls.
struct Branch {
  std::size_t first = 0, last = 0;
};

// Up to the largest torque, back to zero, down to the smallest, back to zero. (A test that begins downwards is the same
// with torque and displacement reversed.)
struct Loop {
  Branch loading_positive, unloading_positive, loading_negative, unloading_negative;
  double largest_torque = 0.0, smallest_torque = 0.0;  // smoothed
  bool from_rest = false;                              // no torque came before: its first branch begins anywhere

  std::size_t first() const noexcept { return loading_positive.first; }
  std::size_t last() const noexcept { return unloading_negative.last; }
};

// All whole loops between two samples of the ramp. Empty where the torque does not pass through zero both ways.
std::vector<Loop> find_loops(const TorqueRamp& ramp, std::size_t first, std::size_t last);

// Centred moving average over 2 * half + 1 samples, shorter at the ends.
std::vector<double> moving_average(std::span<const double> values, std::size_t half);

}  // namespace tauhat
