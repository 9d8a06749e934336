#include "tauhat/offline/identify/intensity.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "tauhat/offline/signal/rms.hpp"

namespace tauhat {
namespace {

constexpr std::size_t kExcerpt = 8000, kExcerpts = 3;
// Each excerpt starts from the prior, which is that of the log's first sample: until the filter has found where the
// drive is by then, its innovations say nothing of the intensity.
constexpr std::size_t kSettling = 1000;

// The whole log, or three excerpts of it.
std::vector<Timeline> excerpts(const Timeline& timeline) {
  if (timeline.size() <= kExcerpt * kExcerpts) return {timeline};
  std::vector<Timeline> parts;
  for (std::size_t i = 0; i < kExcerpts; ++i) {
    parts.push_back(timeline.part(i * (timeline.size() - kExcerpt) / (kExcerpts - 1), kExcerpt));
  }
  return parts;
}

}  // namespace

// The torque changes by its own size within a period of the resonance, a few milliseconds to a tenth of a second: the
// middle of what drives show, as a start for the search.
double intensity_guess(const Timeline& timeline, const Drive& drive) {
  return std::max(10.0 * rms_of(timeline.inputs[0]) * drive.ratio, 1e-6);
}

IntensityChoice choose_intensity(const Estimator& estimator, const Timeline& timeline, double start) {
  const std::vector<Timeline> parts = excerpts(timeline);
  const auto filter = estimator.clone();
  std::map<int, double> known;  // half-decades of the spectral density -> likelihood per correction
  const auto likelihood = [&](int half_decades) {
    if (const auto found = known.find(half_decades); found != known.end()) return found->second;
    filter->set_intensity(std::pow(10.0, 0.25 * half_decades));
    double sum = 0.0, count = 0.0;
    for (std::size_t i = 0; i < parts.size(); ++i) {
      const Replay replay = filter->replay(parts[i], {.tracks = false, .settling = i > 0 ? kSettling : 0});
      sum += replay.log_likelihood;
      count += static_cast<double>(replay.corrections);
    }
    const double mean = std::isfinite(sum) && count > 0.0 ? sum / count : -1e300;
    return known[half_decades] = mean;
  };
  int best = static_cast<int>(std::lround(4.0 * std::log10(start)));
  constexpr int kReach = 16;  // eight decades either way of a start that is itself a guess within two
  const int first = best;
  for (int step = 4; step >= 1; step /= 2) {
    while (std::abs(best - first) < kReach) {
      if (likelihood(best + step) > likelihood(best))
        best += step;
      else if (likelihood(best - step) > likelihood(best))
        best -= step;
      else
        break;
    }
  }
  IntensityChoice choice{std::pow(10.0, 0.25 * best), {}};
  for (const auto& [half_decades, value] : known)
    choice.likelihood.emplace_back(std::pow(10.0, 0.25 * half_decades), value);
  return choice;
}

}  // namespace tauhat
