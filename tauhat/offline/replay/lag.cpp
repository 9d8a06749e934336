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

std::string lag_longer_than_record(std::size_t samples, std::size_t lag) {
  return fmt::format("The record has {} samples, the lag {}: no instant is followed by a whole lag.", samples, lag);
}

std::vector<Diagnostic> diagnose_gated(const InnovationCounts& counts) {
  constexpr double kSome = 0.01, kMany = 0.2;
  if (counts.corrections == 0) return {};
  const double share = static_cast<double>(counts.gated) / static_cast<double>(counts.corrections);
  if (!(share > kSome)) return {};
  return {{"filter.gated", share > kMany ? Severity::error : Severity::warning,
           fmt::format("The gate refused {:.2g} % of the samples, {} of {}: spikes are rarer. Check the units, the "
                       "sensors' std and the model, or raise gate in [estimator].",
                       100.0 * share, counts.gated, counts.corrections)}};
}

}  // namespace tauhat
