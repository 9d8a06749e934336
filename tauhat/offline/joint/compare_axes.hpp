// What each observer of several elastic axes gives on a log, axis by axis, and at which cost.
#pragma once

#include <functional>

#include "tauhat/offline/log/log.hpp"
#include "tauhat/offline/study/study.hpp"

namespace tauhat {

// Every observer, and the motors' velocities over their ratios: against the axes' references where the log has some;
// and by what the model says of each, with or without. `others` are studies with further parameters for the same
// observers.
Report compare_axes(const Study& study, const std::vector<Study>& others, const Log& log,
                    const std::function<void(const std::string&, double)>& progress);

}  // namespace tauhat
