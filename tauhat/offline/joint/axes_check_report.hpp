// What `check` says of a record of several elastic axes: whether it is good enough for their observers, and whether all
// its channels have one clock.
#pragma once

#include <vector>

#include "tauhat/offline/log/log.hpp"
#include "tauhat/offline/study/study.hpp"

namespace tauhat {

// Axes whose motors never move, of which no observer can be told from another.
std::vector<Diagnostic> axes_at_rest(const AxesSpec& spec, const Log& log);

Report check_axes(const Study& study, const Log& log);

}  // namespace tauhat
