// The filters of a gap that are in two stages, as estimators.
#pragma once

#include "tauhat/offline/gap/gap_estimator.hpp"

namespace tauhat::gap {

// Throws Error (wrong_use) where the stationary gains do not exist.
std::unique_ptr<Estimator> make_stages(const GapSpec& spec);

}  // namespace tauhat::gap
