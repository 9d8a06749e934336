// Whether a filter knows how wrong it is.
#pragma once

#include <string>
#include <vector>

#include "tauhat/offline/replay/estimator.hpp"

namespace tauhat {

// filter.lag, by the mean of the innovations' normalised squares, which is 1 where the filter knows its errors. Far
// above, its numbers mean nothing.
std::vector<Diagnostic> diagnose_lag(double mean_nis, const std::string& why);
inline constexpr const char* kWhyLags = "the filter lags, or the noise is larger than said";
inline constexpr const char* kWhyForceLags =
    "the force changes faster than force_walk says, acts elsewhere than at its frame, or noise and residual are larger";

// What lag.longer_than_record says, in `estimate` and in `stream`.
std::string lag_longer_than_record(std::size_t samples, std::size_t lag);

// filter.gated, by the share of the samples that the gate refused. A gate is for spikes, which are rare: a filter that
// refuses many has lost what it follows.
std::vector<Diagnostic> diagnose_gated(const InnovationCounts& counts);

}  // namespace tauhat
