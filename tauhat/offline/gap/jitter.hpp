// A sample that was taken up to `jitter` beside its stamp, as a bus sends it, is worth the less the faster its value
// changes: evenly spread over +- jitter, it is wrong by a variance of (rate * jitter)^2 / 3.
#pragma once

#include "tauhat/core/models/powertrain.hpp"

namespace tauhat {

// `output` is one of the first four: positions and velocities are states.
inline double jitter_variance(const Powertrain<double>& drive, const Vector<double, Powertrain<double>::kStates>& x,
                              int output, double jitter) noexcept {
  // The command moves none of them at once.
  const double wrong = jitter * drive.derivative(x, Vector<double, 1>(0.0))[output];
  return wrong * wrong / 3.0;
}

}  // namespace tauhat
