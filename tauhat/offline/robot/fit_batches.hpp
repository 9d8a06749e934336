// A fit of some of the batches that another was made of.
#pragma once

#include "tauhat/offline/robot/robot_regression.hpp"

namespace tauhat {

// Of so many batches from `first` on alone, weighed as all are and with their share of the noise.
LinearFit fit_batches(const RobotFit& fit, std::size_t first, std::size_t count);

}  // namespace tauhat
