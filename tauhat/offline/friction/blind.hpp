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
  int reversal_passes = 6;       // 0: reversals are not looked for
  double reversal_reach = 0.03;  // s: so long before and after it, the axis must clearly move
  double reversal_speed = 5e-3;  // rad/s: what is clearly
  double flip_variance = 1e-3;   // (N m)^2, added where the sign turns
};

struct BlindSmoothing {
  Track position, velocity, friction;  // smoothed
  Track filtered_friction;
  std::vector<std::size_t> reversals;  // without rest, where friction turns over at once: the sample after each
  std::vector<std::size_t> turns;      // changes of direction, whatever rest lies between: the first sample after each
  double mean_nis = 0.0, log_likelihood = 0.0;
};

// Samples in which the axis first clearly moves the other way than it last clearly did.
std::vector<std::size_t> find_turns(const std::vector<double>& velocity, double clear_speed);

BlindSmoothing smooth_blindly(const Axis<double>& axis, const Timeline& timeline, const BlindOptions& options);

}  // namespace tauhat
