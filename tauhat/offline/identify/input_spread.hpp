// What a filter's estimates owe to parameters that the study knows only so well ({ value, std }): the filter takes
// their values for true, so its own standard deviation does not hold them.
//   std_k^2 = noise_k^2 + sum_i max (x_k(p_i +- std_i) - x_k(p))^2
#pragma once

#include <vector>

#include "tauhat/offline/replay/estimator.hpp"
#include "tauhat/offline/study/study.hpp"

namespace tauhat {

// Whether the study of a drive has values that are known only so well.
bool has_uncertain_inputs(const Study& study);

// Of the study's drive with its free transmission torque: adds their part to the standard deviations of the replay's
// tracks, at every instant, by the filter run again with each such parameter off by its own, either way. Returns where
// those of the last instant come from, one an output, smoothed where that was asked for; empty where there are no such
// values.
std::vector<UncertaintyBudget> widen_by_inputs(const Study& study, double intensity, std::size_t lag,
                                               const Timeline& timeline, Replay& replay);

}  // namespace tauhat
