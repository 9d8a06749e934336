#include "tauhat/offline/log/pulse_stamps.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tauhat/offline/quantile.hpp"

namespace tauhat {
namespace {

constexpr std::size_t kSome = 10;  // pulses that follow each other are no mistake
constexpr double kFar = 1000.0;    // of the usual interval

double usual_interval(const std::vector<double>& stamps) {
  std::vector<double> intervals;
  for (std::size_t i = 1; i < stamps.size(); ++i) intervals.push_back(std::abs(stamps[i] - stamps[i - 1]));
  return median(std::move(intervals));
}

bool go_on_from(const std::vector<double>& stamps, std::size_t first) {
  const auto begin = stamps.begin() + static_cast<std::ptrdiff_t>(first);
  return first + kSome <= stamps.size() && std::is_sorted(begin, begin + static_cast<std::ptrdiff_t>(kSome));
}

std::string jump(double from, double to, const char* what) {
  return fmt::format("the stamps jump from {:.9g} s to {:.9g} s: {}", from, to, what);
}

}  // namespace

std::string fault_of_stamps(const std::vector<double>& stamps) {
  if (stamps.size() <= 2 * kSome) return {};
  const double usual = usual_interval(stamps), far = kFar * usual;
  if (!(usual > 0.0)) return "most of the stamps repeat the one before: they are written with too few digits";
  for (std::size_t i = kSome; i < stamps.size(); ++i) {
    if (!(stamps[i - 1] - stamps[i] > far) || !go_on_from(stamps, i - kSome) || !go_on_from(stamps, i)) continue;
    // One that stands far from both of its neighbours is late, or misread.
    if (stamps[i - 1] - stamps[i - 2] <= far && stamps[i + 1] - stamps[i] <= far)
      return jump(stamps[i - 1], stamps[i], "their clock was set back, or wraps; make it go on, or cut the log there");
  }
  std::vector<double> ordered = stamps;
  std::sort(ordered.begin(), ordered.end());
  for (std::size_t i = 1; i < ordered.size(); ++i) {
    const bool is_near_an_end = i < kSome || ordered.size() - i < kSome;
    if (is_near_an_end && ordered[i] - ordered[i - 1] > far)
      return jump(ordered[i - 1], ordered[i], "the few beyond were misread; leave their rows out");
  }
  return {};
}

}  // namespace tauhat
