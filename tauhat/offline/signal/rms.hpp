// How large a signal is, whatever samples it lacks.
#pragma once

#include <cmath>
#include <vector>

namespace tauhat {

// Root mean square of the values that are finite; zero where none is.
inline double rms_of(const std::vector<double>& values) {
  double square = 0.0, count = 0.0;
  for (const double value : values)
    if (std::isfinite(value)) square += value * value, ++count;
  return count > 0.0 ? std::sqrt(square / count) : 0.0;
}

}  // namespace tauhat
