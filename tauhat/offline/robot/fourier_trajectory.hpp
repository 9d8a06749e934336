// A periodic motion of all joints (Swevers et al. 1997):
//   q_j(t) = centre_j + sum_l [sine_jl sin(l w t) - cosine_jl cos(l w t)] / (l w),   w = 2 pi / period,  l = 1, 2, ...
#pragma once

#include <Eigen/Dense>

#include "tauhat/offline/robot/torque_columns.hpp"

namespace tauhat {

struct JointMotion {
  JointValues position, velocity, acceleration;
};

struct FourierTrajectory {
  double period = 10.0;          // s
  Eigen::VectorXd centre;        // rad (m)
  Eigen::MatrixXd sine, cosine;  // rad/s: a row for each joint, a column for each harmonic

  int joints() const noexcept { return static_cast<int>(centre.size()); }
  int harmonics() const noexcept { return static_cast<int>(sine.cols()); }
  JointMotion at(double time) const;
};

}  // namespace tauhat
