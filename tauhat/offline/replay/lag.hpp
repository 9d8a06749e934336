// Whether a filter knows how wrong it is.
#pragma once

#include <string>
#include <vector>

#include "tauhat/offline/report/diagnostic.hpp"

namespace tauhat {

// filter.lag, by the mean of the innovations' normalised squares, which is 1 where the filter knows its errors. Far
// above, its numbers mean nothing.
std::vector<Diagnostic> diagnose_lag(double mean_nis, const std::string& why);

}  // namespace tauhat
