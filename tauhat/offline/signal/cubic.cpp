#include "tauhat/offline/signal/cubic.hpp"

#include <algorithm>

namespace tauhat {
namespace {

// Of the parabola through a point and its two neighbours; at an end, of the line.
double slope_at(const std::vector<double>& x, const std::vector<double>& y, std::size_t i) {
  const auto rise = [&](std::size_t k) { return (y[k + 1] - y[k]) / (x[k + 1] - x[k]); };
  if (i == 0) return rise(0);
  if (i + 1 == x.size()) return rise(i - 1);
  const double before = x[i] - x[i - 1], after = x[i + 1] - x[i];
  return (after * rise(i - 1) + before * rise(i)) / (before + after);
}

}  // namespace

OnCurve on_cubic(const std::vector<double>& x, const std::vector<double>& y, double at) {
  if (at <= x.front()) return {y.front(), 0.0};
  if (at >= x.back()) return {y.back(), 0.0};
  const auto i = static_cast<std::size_t>(std::upper_bound(x.begin(), x.end(), at) - x.begin()) - 1;
  const double width = x[i + 1] - x[i], s = (at - x[i]) / width;
  const double first = width * slope_at(x, y, i), last = width * slope_at(x, y, i + 1), rise = y[i + 1] - y[i];
  // Hermite: y_i + s first + s^2 (3 rise - 2 first - last) + s^3 (first + last - 2 rise)
  const double square = 3.0 * rise - 2.0 * first - last, cube = first + last - 2.0 * rise;
  return {y[i] + s * (first + s * (square + s * cube)), (first + s * (2.0 * square + 3.0 * s * cube)) / width};
}

}  // namespace tauhat
