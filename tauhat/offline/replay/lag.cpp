#include "tauhat/offline/replay/lag.hpp"

#include <fmt/format.h>

#include <cmath>

namespace tauhat {

std::vector<Diagnostic> diagnose_lag(double mean_nis, const std::string& why) {
  constexpr double kLags = 1.5, kLost = 25.0;
  if (!(mean_nis > kLags)) return {};
  return {{"filter.lag", mean_nis > kLost ? Severity::error : Severity::warning,
           fmt::format("The innovations' normalised square is {:.3g} instead of 1: {}. The standard deviations are too "
                       "small, by some {:.1f} times.",
                       mean_nis, why, std::sqrt(mean_nis))}};
}

}  // namespace tauhat
