// The rate of a signal that is sampled at a constant period, by central differences, which do not delay:
//   x'(t_k) ~ (x_{k+1} - x_{k-1}) / (2 T)
// A sine of frequency f comes out smaller by sin(2 pi f T) / (2 pi f T). The ends are one-sided differences.
#pragma once

#include <vector>

namespace tauhat {

std::vector<double> differentiate(const std::vector<double>& values, double period);

}  // namespace tauhat
