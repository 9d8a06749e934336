// How an observer of several elastic axes follows a link when friction that it does not know shakes its motor, at that
// axis' resonance. Known from the model alone; no record is needed. With d the torque at one motor, x the study's axes,
// and x^ what the observer believes in:
//   x = (z - A)^-1 Gamma d,   y = C x,   x^ = (z - A^ + L C)^-1 L y,   v^ = c x^ (predictor)  or  c (x^ + K (y - C x^))
#pragma once

#include <complex>
#include <vector>

#include "tauhat/offline/joint/axes_design.hpp"

namespace tauhat {

struct AxisResponse {
  double resonance = 0.0;           // Hz, where its motor swings the link most, beside the travel of both
  std::complex<double> ratio{1.0};  // of the estimated velocity to that of the link

  double phase_lag() const { return -std::arg(ratio); }    // rad
  double missed() const { return std::abs(ratio - 1.0); }  // share of the swing that the estimate has not
};

// Of each axis. `truth` is the study's, `believed` what the observer was made with.
std::vector<AxisResponse> axes_response(const AxesSpec& truth, const AxesSpec& believed, const AxesObserver& observer,
                                        double period, const std::vector<double>& sensor_variances);
// Of the motors' velocities over the ratios, by central differences.
std::vector<AxisResponse> naive_axes_response(const AxesSpec& truth, double period);

}  // namespace tauhat
