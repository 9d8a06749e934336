// What repeats say of one more run. Loops of one file share its position, so they are not as many independent values
// as there are loops: the files are.
#pragma once

#include <limits>
#include <optional>
#include <vector>

#include "tauhat/offline/gearbox/hysteresis.hpp"

namespace tauhat {

struct Repeats {
  double mean = 0.0;    // of the files' means
  double noise = 0.0;   // standard deviation of one loop by its noise
  double repeat = 0.0;  // by which one more run differs from the mean, beyond noise
  double freedom = std::numeric_limits<double>::infinity();  // degrees, of `repeat`
  // Standard deviations as they are seen, noise included: between the loops of a file, between the files.
  std::optional<double> within{}, between{};
};

// One more loop, in one more of k files of n loops:
//   repeat^2 = s_b^2 (1 + 1/k) + s_w^2 (1 - 1/n)      s_b^2 of the files' means, k - 1 degrees of freedom
//                                                     s_w^2 within the files, k (n - 1)
// and of the one file, where there is no other: s_w^2 (1 + 1/n). Both s^2 are without their noise. `files` holds the
// values of each file that has any.
Repeats combine_repeats(const std::vector<std::vector<LoopValue>>& files);

}  // namespace tauhat
