// Fewer samples without aliases and without delay: a zero-phase Chebyshev filter of order 8 with 0.05 dB ripple at
// 0.8 / factor of half the sampling rate, then every factor-th sample. The last sample is kept, as MATLAB's `decimate`
// does; unlike there, the filter has gain one at zero frequency.
#pragma once

#include <cstddef>
#include <vector>

#include "tauhat/offline/signal/zero_phase.hpp"

namespace tauhat {

LowPass anti_alias_filter(int factor);

// The filter alone: all samples stay. A factor of 1 leaves the values as they are.
std::vector<double> anti_alias(const std::vector<double>& values, int factor);

std::vector<double> decimate(const std::vector<double>& values, int factor);

// The sample that becomes the first of the decimated signal.
std::size_t first_decimated(std::size_t size, int factor);

}  // namespace tauhat
