// Several logs of one axis: one number for all, with what differs between the runs in its interval.
#pragma once

#include <vector>

#include "tauhat/offline/identify/backlash_report.hpp"

namespace tauhat {

// Weighted mean of each result. Where the runs differ by more than their intervals say, the interval widens by that
// ratio (Birge). Plots are of the first log.
Report combine_runs(const Study& study, const std::vector<BacklashAnswer>& runs);

}  // namespace tauhat
