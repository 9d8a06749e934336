// The gains of a cascade (core/filters/gap_cascade.hpp), from what a study says of its drive and its wheels.
#pragma once

#include "tauhat/core/filters/gap_cascade.hpp"
#include "tauhat/offline/gap/gap_estimator.hpp"

namespace tauhat {

GapCascade<double>::Tuning cascade_tuning(const GapSpec& spec);

}  // namespace tauhat
