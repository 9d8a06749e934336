// How an estimate follows a link when friction that nobody knows shakes its motor. Of the model, not of a record: no
// reference is needed. With d the torque at the motor, held over a sample, and x the study's axes:
//   x = (z - Phi)^-1 Gamma d,   v = c x,   v^ = what the observer makes of the motors' positions in x
#pragma once

#include <complex>
#include <functional>

#include "tauhat/offline/joint/model_axes.hpp"

namespace tauhat {

struct FollowedSwing {
  double resonance = 0.0;           // Hz, where the ratio is taken
  std::complex<double> ratio{1.0};  // v^ / v, of the estimated velocity to that of the link
  double delay = 0.0;               // s, the shift at which both are nearest, d being white from 2 to 100 Hz

  double phase_lag() const { return -std::arg(ratio); }    // rad
  double missed() const { return std::abs(ratio - 1.0); }  // share of the swing that the estimate has not
};

// The estimated velocity of one axis by the positions of all motors, at z.
using EstimateAt = std::function<std::complex<double>(std::complex<double> z, const Eigen::VectorXcd& motor_positions)>;

FollowedSwing followed_swing(const ModelAxes& model, std::size_t axis, double resonance, const EstimateAt& estimate);

// The motor's velocity over the ratio, by central differences.
EstimateAt naive_estimate(const ModelAxes& model, std::size_t axis);

// Hz, where its motor swings the link most, beside the travel of both.
double most_swung(const ModelAxes& model, std::size_t axis);

}  // namespace tauhat
