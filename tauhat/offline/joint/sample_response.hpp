// What an observer of a joint makes of the motor's position, by its own steps: while the axis travels evenly, one
// sample is off by a little, and the estimated velocity of the link from then on, less what it would have been,
//   v^(z) = h(z) y(z),   h(z) = sum_k h_k z^-k
// With fixed gains that is exact, the disturbance observer around them included. What is not linear, LuGre's law and
// the compensation of friction, is taken as it is at that speed, where friction hardly changes.
#pragma once

#include <complex>
#include <optional>
#include <vector>

#include "tauhat/offline/replay/estimator.hpp"

namespace tauhat {

struct SampleResponse {
  std::vector<double> velocity;  // h, rad/s per rad

  std::complex<double> at(std::complex<double> z) const noexcept;
};

inline constexpr double kLongestMemory = 8.0;  // s: ten time constants of a leak of 0.2 Hz

// Empty where the observer does not forget the sample by then: its response does not die out, or is not finite.
std::optional<SampleResponse> sample_response(Estimator& observer, double ratio, double period, double sensor_variance);

}  // namespace tauhat
