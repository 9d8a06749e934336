// No law is exact. What the motion does beyond it is noise of the acceleration, as much as the innovations are
// likeliest with: some everywhere, and more around standstill, where bristles bend and reversals fall between two
// samples. Without it every number would claim to be better known than it is, and would bend to what the law does not
// describe.
#pragma once

#include "tauhat/offline/friction/parametric.hpp"

namespace tauhat {

// Sets the axis' noise and the slow noise of `spec`. `fastest` is the largest speed of the motion, `friction` a usual
// size of its friction. Returns the logarithm of the likelihood, minus infinity where the filter diverges.
double fit_unexplained_motion(ParametricSpec& spec, const Timeline& timeline, double fastest, double friction);

// What the law's numbers owe to the motion around standstill, where that is not the law's: covariance of the parameters
// and, last, the constant force, beside `tracks`'s own. By a second run in which the slow motion says nothing:
//   D = d d' + f (P2 - P),   d = theta2 - theta,   f what P is widened by
// Zero where the law holds through standstill. Where the second run is lost, P2 is what was known before the data.
Eigen::MatrixXd spread_by_slow_motion(const ParametricSpec& spec, const ParametricTracks& tracks,
                                      const Timeline& timeline, double fastest, double friction, double widened);

}  // namespace tauhat
