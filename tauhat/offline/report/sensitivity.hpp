// How an answer depends on how fast its unknown is believed to wander, which nobody knows well: the answer again with
// the random walk 0.3 and 3 times as fast. A verdict that this changes is none.
#pragma once

#include <array>
#include <functional>
#include <string>

#include "tauhat/offline/report/report.hpp"

namespace tauhat {

inline constexpr std::array<double, 2> kOtherIntensities{0.3, 3.0};

// `answer(factor)` is the report with the walk so many times as fast. Of a long log it may be of a part: then
// differences from `answer(1)` count. It is called from several threads.
void show_sensitivity(const std::function<Report(double factor)>& answer, bool of_a_part, const std::string& walk,
                      Report& report);

}  // namespace tauhat
