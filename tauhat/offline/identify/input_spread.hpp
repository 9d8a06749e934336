// What a filter's estimates owe to parameters that the study knows only so well ({ value, std }): the filter takes
// their values for true, so its own standard deviation does not hold them.
#pragma once

#include <vector>

#include "tauhat/offline/replay/estimator.hpp"
#include "tauhat/offline/study/study.hpp"

namespace tauhat {

// Of the study's drive with its free transmission torque: standard deviation of each output at the last instant, by the
// filter run again with each such parameter off by its own. Empty where there are none.
std::vector<double> input_spread(const Study& study, double intensity, const Timeline& timeline, const Replay& replay,
                                 bool smooth);

// Adds it to the results' standard deviations, with where they come from.
void widen_by_inputs(const std::vector<double>& spread, std::vector<Result>& results);

}  // namespace tauhat
