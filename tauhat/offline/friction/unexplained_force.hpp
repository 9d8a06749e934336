// What of the friction a law does not explain, in means over stretches of steady sliding. The sensor's noise moves such
// a mean by no more than the change of momentum that it feigns,
//   mean of (f - law) over T  =  0 +- M sqrt(std(v, first)^2 + std(v, last)^2) / T
// and a force that the law does not have, of the position, of the time, of the load, moves it by itself.
#pragma once

#include <Eigen/Dense>

#include <cstddef>
#include <vector>

namespace tauhat {

struct FrictionFit;

struct UnexplainedForce {
  double share = 0.0;            // rms of the means beyond their noise, over the friction
  double size = 0.0;             // the same as a force
  double over_noise = 0.0;       // rms of the means over their deviations
  std::vector<double> velocity;  // mean of each stretch

  // Of laws that are right, over_noise was 0.5 to 1.2.
  bool is_significant() const { return over_noise > kSignificant; }
  static constexpr double kSignificant = 3.0;
};

// By `fit`'s blind friction, and its law's as smoothed.
UnexplainedForce unexplained_force(const FrictionFit& fit);

// What the law's numbers owe to it: covariance of the parameters and, last, the constant force. It does not average out
// as noise does: for a mean over all stretches it may be anything up to its size, a rectangular distribution (JCGM 100,
// 4.3.7), as if of three stretches.
//   C = size^2 (n / 3) (G^T G)^-1,   G = d law / d parameters at each stretch
Eigen::MatrixXd spread_by_unexplained(const FrictionFit& fit, const UnexplainedForce& unexplained);

}  // namespace tauhat
