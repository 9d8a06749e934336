// The tooth tables of a powertrain's wheels, learned from a record.
#pragma once

#include <functional>
#include <vector>

#include "tauhat/offline/gap/gap_estimator.hpp"
#include "tauhat/offline/log/tooth_table.hpp"

namespace tauhat {

// `teeth[i]` of the timeline's sensor i; 0: it is no wheel, or is not to be learned.
std::vector<ToothTable> learn_tooth_tables(const GapSpec& spec, const Timeline& timeline, const std::vector<int>& teeth,
                                           const std::function<void(double)>& progress = {});

}  // namespace tauhat
