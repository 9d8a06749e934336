// Bands that a consistent filter's statistics fall in: limits follow from the number of runs, not from taste.
#pragma once

#include <gmock/gmock.h>

#include <cmath>
#include <string>
#include <vector>

namespace tauhat {

inline constexpr double kNormal95 = 1.959964;  // two-sided
inline constexpr double kNormal999 = 3.290527;

// Quantile of chi-square at the normal quantile z (Wilson and Hilferty 1931): within 0.1 % from 50 degrees
// on.
inline double chi_square_quantile(double degrees, double z) {
  const double spread = 2.0 / (9.0 * degrees);
  return degrees * std::pow(1.0 - spread + z * std::sqrt(spread), 3);
}

// The mean of `runs` independent chi-square values of `degrees` each; on average it is `degrees`.
inline bool chi_square_mean_within(double mean, double degrees, double runs, double z) {
  return mean * runs > chi_square_quantile(degrees * runs, -z) && mean * runs < chi_square_quantile(degrees * runs, z);
}

inline std::string chi_square_band(double degrees, double runs, double z) {
  return "is in [" + std::to_string(chi_square_quantile(degrees * runs, -z) / runs) + ", " +
         std::to_string(chi_square_quantile(degrees * runs, z) / runs) + "]";
}

MATCHER_P2(Within95, degrees, runs, chi_square_band(degrees, runs, kNormal95)) {
  return chi_square_mean_within(arg, degrees, runs, kNormal95);
}

// Where many statistics are looked at, one in twenty would leave its band by chance; one in a thousand will
// not.
MATCHER_P2(Within999, degrees, runs, chi_square_band(degrees, runs, kNormal999)) {
  return chi_square_mean_within(arg, degrees, runs, kNormal999);
}

// The share of `runs` independent intervals of the given level that hold the truth (binomial, normal
// approximation).
MATCHER_P2(CoversAsOften, level, runs, "is " + std::to_string(level) + " within three binomial deviations") {
  return std::abs(arg - level) < 3.0 * std::sqrt(level * (1.0 - level) / runs);
}

// Autocorrelation of a sequence with unit variance: of white noise it is normal with variance 1 / n.
inline double autocorrelation(const std::vector<double>& white, std::size_t lag) {
  double sum = 0.0;
  for (std::size_t i = lag; i < white.size(); ++i) sum += white[i] * white[i - lag];
  return sum / static_cast<double>(white.size() - lag);
}

inline double mean_of(const std::vector<double>& values) {
  double sum = 0.0;
  for (const double value : values) sum += value;
  return sum / static_cast<double>(values.size());
}

}  // namespace tauhat
