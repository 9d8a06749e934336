#include "tauhat/offline/gearbox/repeats.hpp"

#include <algorithm>
#include <cmath>

namespace tauhat {
namespace {

double mean_of(const std::vector<double>& values) {
  double sum = 0.0;
  for (const double v : values) sum += v;
  return sum / static_cast<double>(values.size());
}

double squares_about_mean(const std::vector<double>& values) {
  const double mean = mean_of(values);
  double sum = 0.0;
  for (const double v : values) sum += (v - mean) * (v - mean);
  return sum;
}

// A variance and the degrees of freedom it was found with.
struct Part {
  double variance = 0.0, freedom = 0.0;
};

// Welch and Satterthwaite.
Part sum_of(const Part& a, const Part& b) {
  const double variance = a.variance + b.variance;
  const auto weight = [](const Part& part) {
    return part.variance > 0.0 ? part.variance * part.variance / part.freedom : 0.0;
  };
  const double weights = weight(a) + weight(b);
  return {variance, weights > 0.0 ? variance * variance / weights : std::max(a.freedom, b.freedom)};
}

}  // namespace

Repeats combine_repeats(const std::vector<std::vector<LoopValue>>& files) {
  const auto k = static_cast<double>(files.size());
  std::vector<double> means;
  double loops = 0.0, noise = 0.0, noise_of_means = 0.0, mean_share = 0.0, squares = 0.0;
  for (const std::vector<LoopValue>& file : files) {
    const auto n = static_cast<double>(file.size());
    std::vector<double> values;
    double variance = 0.0;
    for (const LoopValue& loop : file) values.push_back(loop.value), variance += loop.variance;
    means.push_back(mean_of(values));
    squares += squares_about_mean(values);
    loops += n, noise += variance, noise_of_means += variance / (n * n) / k, mean_share += 1.0 / n / k;
  }
  noise /= loops;
  Repeats result;
  result.mean = mean_of(means);
  result.noise = std::sqrt(noise);
  Part within, between;
  if (within.freedom = loops - k; within.freedom > 0.0) {
    const double seen = squares / within.freedom;
    result.within = std::sqrt(seen);
    within.variance = std::max(seen - noise, 0.0) * (files.size() > 1 ? 1.0 - mean_share : 1.0 + mean_share);
  }
  if (between.freedom = k - 1.0; between.freedom > 0.0) {
    const double seen = squares_about_mean(means) / between.freedom;
    result.between = std::sqrt(seen);
    between.variance = std::max(seen - noise_of_means, 0.0) * (1.0 + 1.0 / k);
  }
  const Part both = sum_of(within, between);
  result.repeat = std::sqrt(both.variance);
  if (both.variance > 0.0) result.freedom = both.freedom;
  return result;
}

}  // namespace tauhat
