#include "tauhat/offline/log/checks.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "tauhat/offline/quantile.hpp"

namespace tauhat {
namespace {

constexpr std::size_t kShortestClippedRun = 3;
constexpr std::size_t kLevelsOfASteppedSignal = 16;  // a PRBS has two, a staircase some more
constexpr std::size_t kFewestLevelsOfAGrid = 5;
constexpr double kNotableClippedShare = 0.01;
constexpr std::size_t kMostDifferences = 50'000;
// A bus is taken to send within a quarter of its period; where more than a tenth of its messages are lost, all that is
// missing counts.
constexpr double kUneven = 0.25, kMostly = 0.9;  // of the usual distance of two samples; of all distances

// Number of different values, counted no further than `enough`.
std::size_t count_levels(const std::vector<double>& values, std::size_t enough) {
  std::set<double> levels;
  for (const double value : values) {
    if (!std::isnan(value)) levels.insert(value);
    if (levels.size() >= enough) break;
  }
  return levels.size();
}

struct Extremes {
  double smallest = std::numeric_limits<double>::infinity();
  double largest = -std::numeric_limits<double>::infinity();
};

Extremes extremes_of(const std::vector<double>& values) {
  Extremes extremes;
  for (const double value : values) {
    extremes.smallest = std::fmin(extremes.smallest, value);
    extremes.largest = std::fmax(extremes.largest, value);
  }
  return extremes;
}

std::size_t count_in_runs(const std::vector<double>& values, double level) {
  std::size_t in_runs = 0, run = 0;
  for (const double value : values) {
    run = value == level ? run + 1 : 0;
    if (run == kShortestClippedRun)
      in_runs += run;
    else if (run > kShortestClippedRun)
      ++in_runs;
  }
  return in_runs;
}

// A quantised sine, too, rests at its peak, but passes more often through the levels just below. Clipping
// does not: the limit must hold `kFactor` times the samples of the neighbouring hundredth of the range.
std::size_t count_clipped(const std::vector<double>& values, double limit, double range) {
  constexpr std::size_t kFactor = 3;
  if (limit == 0.0) return 0;
  const std::size_t at_limit = count_in_runs(values, limit);
  const auto beside = std::count_if(values.begin(), values.end(), [=](double value) {
    return value != limit && std::abs(value - limit) <= 0.01 * range;
  });
  return at_limit > kFactor * static_cast<std::size_t>(beside) ? at_limit : 0;
}

struct Steps {
  std::vector<double> sizes;  // between neighbouring samples, ascending, without those that are rounding only
  std::size_t repeated = 0;   // how many are that
};
Steps steps_of(const std::vector<double>& values) {
  constexpr double kRounding = 1e-9;  // of the largest value: ten digits are a good log
  const Extremes extremes = extremes_of(values);
  const double rounding = kRounding * std::max(std::abs(extremes.smallest), std::abs(extremes.largest));
  const std::size_t stride = values.size() / kMostDifferences + 1;
  Steps steps;
  for (std::size_t k = 1; k < values.size(); k += stride) {
    const double step = std::abs(values[k] - values[k - 1]);
    if (step > rounding) steps.sizes.push_back(step);
    if (step <= rounding) ++steps.repeated;
  }
  std::sort(steps.sizes.begin(), steps.sizes.end());
  return steps;
}

}  // namespace

std::size_t count_missing(const std::vector<double>& values) noexcept {
  return static_cast<std::size_t>(
      std::count_if(values.begin(), values.end(), [](double value) { return std::isnan(value); }));
}

Presence presence_of(const std::vector<double>& values) {
  std::vector<double> distances;  // in rows
  std::size_t last = values.size();
  for (std::size_t row = 0; row < values.size(); ++row) {
    if (std::isnan(values[row])) continue;
    if (last < values.size()) distances.push_back(static_cast<double>(row - last));
    last = row;
  }
  const Presence by_rows{values.size(), count_missing(values)};
  if (by_rows.missing == 0 || distances.empty()) return by_rows;
  const double usual = median(distances);
  const auto even = std::count_if(distances.begin(), distances.end(),
                                  [&](double distance) { return std::abs(distance - usual) <= kUneven * usual; });
  if (!(usual > 1.0) || static_cast<double>(even) < kMostly * static_cast<double>(distances.size())) return by_rows;
  Presence slower{distances.size() + 1, 0};
  for (const double distance : distances)
    slower.missing += static_cast<std::size_t>(std::max(std::round(distance / usual) - 1.0, 0.0));
  slower.due += slower.missing;
  return slower;
}

bool is_constant(const std::vector<double>& values) noexcept {
  const Extremes extremes = extremes_of(values);
  return extremes.smallest == extremes.largest;
}

double clipped_share(const std::vector<double>& values) {
  if (count_levels(values, kLevelsOfASteppedSignal + 1) <= kLevelsOfASteppedSignal) return 0.0;
  const Extremes extremes = extremes_of(values);
  const double range = extremes.largest - extremes.smallest;
  const std::size_t clipped =
      count_clipped(values, extremes.smallest, range) + count_clipped(values, extremes.largest, range);
  const double share = static_cast<double>(clipped) / static_cast<double>(values.size() - count_missing(values));
  return share >= kNotableClippedShare ? share : 0.0;
}

// On a grid, each step is a whole number k of grid steps q. Small steps give k without doubt and sharpen q
// for the larger ones:  q = sum(step) / sum(k)
double resolution_of(const std::vector<double>& values) {
  constexpr double kFarFromWhole = 0.2;
  if (count_levels(values, kFewestLevelsOfAGrid) < kFewestLevelsOfAGrid) return 0.0;
  const auto [steps, repeated] = steps_of(values);
  double sum_of_steps = 0.0, sum_of_counts = 0.0;
  for (const double step : steps) {
    const double grid = sum_of_counts > 0.0 ? sum_of_steps / sum_of_counts : step;
    const double count = std::round(step / grid);
    if (std::abs(step / grid - count) > kFarFromWhole) return 0.0;
    sum_of_steps += step;
    sum_of_counts += count;
  }
  // Every sample one step from the one before it: a ramp without noise, whose steps are its travel in a period.
  const bool is_ramp = static_cast<double>(steps.size()) == sum_of_counts && repeated == 0;
  return sum_of_counts > 0.0 && !is_ramp ? sum_of_steps / sum_of_counts : 0.0;
}

}  // namespace tauhat
