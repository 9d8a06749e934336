// How an observer of several elastic axes follows each link when friction that it does not know shakes its motor, at
// that axis' resonance. Known from the model alone; no record is needed. With y the motors' positions:
//   x^ = (z - A^ + L C)^-1 L y,   v^ = c x^ (predictor)  or  c (x^ + K (y - C x^))
#pragma once

#include <vector>

#include "tauhat/offline/joint/followed_swing.hpp"

namespace tauhat {

// Of each axis. `truth` is the study's, `believed` what the observer was made with.
std::vector<FollowedSwing> axes_response(const ModelAxes& truth, const AxesSpec& believed, const AxesObserver& observer,
                                         const std::vector<double>& sensor_variances);
// Of the motors' velocities over the ratios, by central differences.
std::vector<FollowedSwing> naive_axes_response(const ModelAxes& truth);

}  // namespace tauhat
