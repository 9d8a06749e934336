// A law fitted to a record by the motion that it makes by itself (output error): what is left is the sensor's noise
// alone where the law, through all reversals and rests, is what acts. Nothing is linearised then, no mode guessed, and
// no noise of the motion assumed: the numbers are the likeliest there are, and their covariance is exact.
//   y_k = x_k(p) + sigma e_k,   p: the law's parameters, the constant force, and where the motion starts
#pragma once

#include <Eigen/Dense>

#include <limits>
#include <string>
#include <vector>

#include "tauhat/offline/friction/parametric.hpp"

namespace tauhat {

struct MotionFit {
  FittedLaw law;
  double offset = 0.0;  // of the axis, where it was fitted along
  Eigen::MatrixXd
      covariance;  // of the law's parameters, in the order of parameter_names(), and last the constant force
  double bic = std::numeric_limits<double>::infinity();
  // Of what is left: over the sensor's variance, and from sample to sample.
  double mean_square = std::numeric_limits<double>::infinity(), autocorrelation = 0.0;
  bool follows = false;  // it is white

  // Whether an axis that moves up to the fastest speed can have it.
  bool is_friction(double fastest) const;
};

// From the law and start of `spec`, with its deviations before the data.
MotionFit fit_motion(const ParametricSpec& spec, const Timeline& timeline);

// Of a series, at lags 1 to 10; the largest in size.
double largest_autocorrelation(const std::vector<double>& values);

// Whether these are the noise of one sensor: neighbours not alike, and means over stretches of several lengths no
// larger than those of independent values.
bool is_white(const std::vector<double>& values);

}  // namespace tauhat
