// The gains of a cascade (core/filters/gap_cascade.hpp), from what a study says of its drive and its wheels.
#pragma once

#include "tauhat/core/filters/gap_cascade.hpp"
#include "tauhat/offline/gap/gap_estimator.hpp"

namespace tauhat {

// Spectral densities of both sides' jerk, motor's and load's, where the study does not give them.
std::array<double, 2> usual_jerk(const Powertrain<double>& drive);

GapCascade<double>::Tuning cascade_tuning(const GapSpec& spec);

// Whether there are gains: the stationary filters of contact and gap exist.
bool cascade_is_stable(const GapSpec& spec);

}  // namespace tauhat
