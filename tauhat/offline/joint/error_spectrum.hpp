// Amplitude density of a signal by Welch's method: Hann windows that overlap by half.
#pragma once

#include <vector>

namespace tauhat {

struct Spectrum {
  std::vector<double> frequency, density;  // Hz, unit/sqrt(Hz)
};

// Samples that are not finite count as zero.
Spectrum amplitude_density(const std::vector<double>& values, double period);

}  // namespace tauhat
