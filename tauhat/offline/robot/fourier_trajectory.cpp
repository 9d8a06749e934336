#include "tauhat/offline/robot/fourier_trajectory.hpp"

#include <cmath>
#include <numbers>

namespace tauhat {

JointMotion FourierTrajectory::at(double time) const {
  Eigen::VectorXd position = centre, velocity = Eigen::VectorXd::Zero(joints()), acceleration = velocity;
  for (int l = 1; l <= harmonics(); ++l) {
    const double frequency = 2.0 * std::numbers::pi * l / period;
    const double s = std::sin(frequency * time), c = std::cos(frequency * time);
    position += (sine.col(l - 1) * s - cosine.col(l - 1) * c) / frequency;
    velocity += sine.col(l - 1) * c + cosine.col(l - 1) * s;
    acceleration += (cosine.col(l - 1) * c - sine.col(l - 1) * s) * frequency;
  }
  return {position, velocity, acceleration};
}

}  // namespace tauhat
