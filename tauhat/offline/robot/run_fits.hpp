// Runs that a fit was made of, each fitted by itself.
#pragma once

#include <vector>

#include "tauhat/offline/robot/robot_regression.hpp"

namespace tauhat {

// So many batches of the fit's sums, from `first` on.
struct Run {
  std::size_t first = 0, count = 0;
};

// Weighed as all are. Their noise is that of the scores about each run's own parameters, of all runs together, and each
// has its share: by what they differ is no noise of theirs.
std::vector<LinearFit> fit_runs(const RobotFit& fit, const std::vector<Run>& runs);

}  // namespace tauhat
