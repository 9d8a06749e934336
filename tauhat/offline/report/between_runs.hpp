// By how much runs differ beyond their noise, and one more would from their mean.
//   mean = sum w x,   w ~ 1 / noise^2,   sum w = 1
//   s^2 = n / (n - 1) sum w (x - mean)^2,   repeat^2 = (1 + sum w^2) max(s^2 - sum w noise^2, 0)
#pragma once

#include <vector>

namespace tauhat {

struct RunValue {
  double value = 0.0, noise = 0.0;  // its standard deviation by noise
  double weight = 0.0;              // of the mean; of any scale
};

struct BetweenRuns {
  double mean = 0.0;
  double spread = 0.0, mean_noise = 0.0;  // variances: as it is seen, and what of it is noise
  double shares = 0.0;                    // sum of the squared weights

  double repeat_variance() const noexcept;
};
// Of two runs or more.
BetweenRuns between_runs(const std::vector<RunValue>& runs);

}  // namespace tauhat
