// Quantiles of a sample.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

namespace tauhat {

// The smallest value that is not below this share of the sample; zero of an empty one. Reorders its argument, so that
// a long sample need not be copied.
inline double quantile_in_place(std::vector<double>& values, double share) {
  if (values.empty()) return 0.0;
  const auto at = static_cast<std::ptrdiff_t>(share * static_cast<double>(values.size() - 1));
  std::nth_element(values.begin(), values.begin() + at, values.end());
  return values[static_cast<std::size_t>(at)];
}

inline double quantile(std::vector<double> values, double share) { return quantile_in_place(values, share); }

inline double median(std::vector<double> values) { return quantile_in_place(values, 0.5); }

}  // namespace tauhat
