// From the smoothed motion and the cloud fit to a shooting problem: segments with their start values, and the
// parameters that are free.
#pragma once

#include "tauhat/offline/identify/backlash.hpp"

namespace tauhat {

// Fits and stores the result in `fit.shooting`.
void refine_by_shooting(BacklashFit& fit, const Timeline& timeline, const BacklashOptions& options);

}  // namespace tauhat
