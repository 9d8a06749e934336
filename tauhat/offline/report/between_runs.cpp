#include "tauhat/offline/report/between_runs.hpp"

#include <algorithm>

namespace tauhat {

double BetweenRuns::repeat_variance() const noexcept { return std::max(spread - mean_noise, 0.0) * (1.0 + shares); }

BetweenRuns between_runs(const std::vector<RunValue>& runs) {
  const auto n = static_cast<double>(runs.size());
  double weights = 0.0;
  for (const RunValue& run : runs) weights += run.weight;
  BetweenRuns between;
  for (const RunValue& run : runs) between.mean += run.weight / weights * run.value;
  for (const RunValue& run : runs) {
    const double w = run.weight / weights, off = run.value - between.mean;
    between.spread += w * off * off * n / (n - 1.0);
    between.mean_noise += w * run.noise * run.noise;
    between.shares += w * w;
  }
  return between;
}

}  // namespace tauhat
