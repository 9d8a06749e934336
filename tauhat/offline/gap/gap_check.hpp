// Whether the pulses agree with what a study says of its powertrain, of a filter that takes all of it for true: one
// that learns gap or offset shows by what it learns that they are others, one with fixed gains by nothing at all, since
// its first stage follows each wheel whatever the drive does.
#pragma once

#include <vector>

#include "tauhat/offline/replay/estimator.hpp"
#include "tauhat/offline/study/study.hpp"

namespace tauhat {

// The diagnostic model.suspect, where something that the study gives as known would explain the pulses better. Nothing
// of filters that learn gap or offset, nor of those that know positions alone.
std::vector<Diagnostic> check_gap(const Study& study, const Timeline& timeline, const Replay& replay);

}  // namespace tauhat
