// The gains of filters in two stages (core/filters/gap_cascade.hpp), from what a study says of its drive and its
// wheels.
#pragma once

#include <array>

#include "tauhat/core/filters/gap_cascade.hpp"
#include "tauhat/core/filters/staircase_positions.hpp"
#include "tauhat/core/filters/stationary_positions.hpp"
#include "tauhat/offline/gap/gap_estimator.hpp"

namespace tauhat {

// Motor's and load's: the jerk that each wheel's filter follows, and the pitches.
Vector<double, 2> first_stage_jerk(const GapSpec& spec);
Vector<double, 2> pitches_of(const GapSpec& spec);

// Of the switching observer, behind either first stage.
SwitchingObserver<double>::Tuning observer_tuning(const GapSpec& spec);
StationaryPositions<double>::Tuning staircase_tuning(const GapSpec& spec);

}  // namespace tauhat
