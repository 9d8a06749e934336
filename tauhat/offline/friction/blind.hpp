// What friction acted, without a law: the axis with its friction as a random walk, smoothed over the whole record.
// Where the axis turns back, friction turns its sign over; it is told so, and smoothed again.
#pragma once

#include <vector>

#include "tauhat/core/models/axis.hpp"
#include "tauhat/offline/replay/estimator.hpp"

namespace tauhat {

struct BlindOptions {
  double intensity = 1.0;       // N m/sqrt(s), of the walk
  double start[3] = {0, 0, 0};  // position, velocity, friction
  double variances[3] = {1e-4, 1e-4, 1e-2};
  int reversal_passes = 6;          // 0: reversals are not looked for
  std::size_t reversal_reach = 30;  // samples on either side that must clearly move
  double reversal_speed = 5e-3;     // rad/s: what is clearly
  double flip_variance = 1e-3;      // (N m)^2, added where the sign turns
};

struct BlindSmoothing {
  Track position, velocity, friction;  // smoothed
  Track filtered_friction;
  std::vector<std::size_t> reversals;  // the sample after each
  double mean_nis = 0.0, log_likelihood = 0.0;
};

BlindSmoothing smooth_blindly(const Axis<double>& axis, const Timeline& timeline, const BlindOptions& options);

}  // namespace tauhat
