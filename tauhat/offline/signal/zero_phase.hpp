// Low-pass filters that do not delay: a recursive filter run forwards, then backwards.
//
//   |H(f)|^2 is the gain of both passes together, the phase is zero at every frequency.
// Butterworth and Chebyshev (type I) prototypes, mapped by the bilinear transform with the cut-off prewarped
// (Oppenheim and Schafer, Discrete-Time Signal Processing, section 7.1). Both are scaled to gain one at zero frequency,
// so that a constant stays what it is: an even Chebyshev filter then rises above one by its ripple.
#pragma once

#include <cstddef>
#include <vector>

namespace tauhat {

//   y(z) / x(z) = (b0 + b1 z^-1 + b2 z^-2) / (1 + a1 z^-1 + a2 z^-2)
struct SecondOrderSection {
  double b0, b1, b2, a1, a2;
};

struct LowPass {
  std::vector<SecondOrderSection> sections;
  double slowest_pole = 0.0;  // its magnitude: how fast a transient dies out
};

// `cut_off` as a share of half the sampling rate, between 0 and 1. One pass is 3 dB down there.
LowPass butterworth_low_pass(int order, double cut_off);

// The pass band ends at `cut_off`; inside it the gain of one pass varies by `ripple` dB.
LowPass chebyshev_low_pass(int order, double ripple, double cut_off);

// Both ends are continued by a half turn about the last sample, and each pass starts as if its first value had always
// been there, so that constants and straight lines pass unchanged.
std::vector<double> filter_zero_phase(const LowPass& filter, const std::vector<double>& values);

// The same of many signals side by side: one row each time, one column each signal. Registers take several at once.
std::vector<double> filter_zero_phase(const LowPass& filter, const std::vector<double>& rows, std::size_t columns);
// In place and without the continuation: what is within settling_samples() of an end is then to be thrown away.
void filter_both_ways(const LowPass& filter, std::vector<double>& rows, std::size_t columns);

// Samples after which nothing is left of a transient but round-off.
std::size_t settling_samples(const LowPass& filter);

}  // namespace tauhat
