// The motor's and the load's sensor see one motion: over much travel their angles stand in the gear's ratio. A wrong
// unit, sign or ratio shows there before any fit, which would only say that it fits badly.
#pragma once

#include "tauhat/offline/replay/timeline.hpp"
#include "tauhat/offline/study/study.hpp"

namespace tauhat {

// Throws Error (unusable_data) with what would bring the two together. Says nothing where one of them is not measured,
// and of travel below a radian, which may be the gap's.
void require_one_motion(const Study& study, const Timeline& timeline);

}  // namespace tauhat
