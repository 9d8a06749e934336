// Several logs of one axis: one number for all, with what differs between the runs in its interval.
#pragma once

#include <vector>

#include "tauhat/offline/identify/backlash_report.hpp"

namespace tauhat {

// Weighted mean of each result. Averaging reduces the noise. The study's inputs are the same in all runs: their share
// stays. What the runs differ by beyond their noise, which n of them tell with n - 1 degrees of freedom, is in the next
// run, too: it is added as in a bench test. Plots are of the first log.
Report combine_runs(const Study& study, const std::vector<BacklashAnswer>& runs);

}  // namespace tauhat
