// A study's own way to record and to identify, for a plan to try.
#pragma once

#include "tauhat/offline/plan/plan.hpp"
#include "tauhat/offline/study/study.hpp"

namespace tauhat {

// `study` has [plan], [simulate] and [log], and is referred to.
PlanTrials trials_of(const Study& study);

}  // namespace tauhat
