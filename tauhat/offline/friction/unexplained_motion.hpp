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

}  // namespace tauhat
