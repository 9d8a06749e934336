// The minimum of a function of one number.
#pragma once

#include <functional>

namespace tauhat {

// The least of a smooth function between `lower` and `upper`, by golden sections.
inline double minimum_between(double lower, double upper, double tolerance, const std::function<double(double)>& f) {
  constexpr double kGolden = 0.6180339887498949;
  double a = upper - kGolden * (upper - lower), b = lower + kGolden * (upper - lower), fa = f(a), fb = f(b);
  while (upper - lower > tolerance) {
    if (fa < fb) {
      upper = b, b = a, fb = fa, a = upper - kGolden * (upper - lower), fa = f(a);
    } else {
      lower = a, a = b, fa = fb, b = lower + kGolden * (upper - lower), fb = f(b);
    }
  }
  return (lower + upper) / 2.0;
}

// Where the best of evenly spaced values lies.
inline double best_of(double lower, double upper, int steps, const std::function<double(double)>& f) {
  double best = lower, least = f(lower);
  for (int i = 1; i <= steps; ++i) {
    const double x = lower + (upper - lower) * i / steps;
    if (const double value = f(x); value < least) best = x, least = value;
  }
  return best;
}

}  // namespace tauhat
