#include "tauhat/offline/simplex.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tauhat {
namespace {

struct Corner {
  std::vector<double> point;
  double value;
};

// centre + factor (corner - centre)
std::vector<double> along(const std::vector<double>& centre, const std::vector<double>& corner, double factor) {
  std::vector<double> point(centre.size());
  for (std::size_t i = 0; i < point.size(); ++i) point[i] = centre[i] + factor * (corner[i] - centre[i]);
  return point;
}

std::vector<double> centre_of_all_but_last(const std::vector<Corner>& corners) {
  const auto count = static_cast<double>(corners.size() - 1);
  std::vector<double> centre(corners.front().point.size(), 0.0);
  for (std::size_t c = 0; c + 1 < corners.size(); ++c)
    for (std::size_t i = 0; i < centre.size(); ++i) centre[i] += corners[c].point[i] / count;
  return centre;
}

}  // namespace

SimplexMinimum minimise(const std::function<double(const std::vector<double>&)>& function,
                        const std::vector<double>& start, const std::vector<double>& steps,
                        const SimplexOptions& options) {
  SimplexMinimum result;
  const auto evaluated = [&](std::vector<double> point) {
    const double value = function(point);
    ++result.evaluations;
    if (options.progress)
      options.progress(static_cast<double>(result.evaluations) / static_cast<double>(options.evaluations));
    return Corner{std::move(point), std::isfinite(value) ? value : std::numeric_limits<double>::infinity()};
  };
  const auto n = static_cast<double>(start.size());
  const double expansion = 1.0 + 2.0 / n, contraction = 0.75 - 0.5 / n, shrinkage = 1.0 - 1.0 / n;
  std::vector<Corner> corners{evaluated(start)};
  for (std::size_t i = 0; i < start.size(); ++i) {
    std::vector<double> corner = start;
    corner[i] += steps[i];
    corners.push_back(evaluated(std::move(corner)));
  }
  const auto better = [](const Corner& a, const Corner& b) { return a.value < b.value; };
  std::stable_sort(corners.begin(), corners.end(), better);
  while (result.evaluations < options.evaluations) {
    result.settled = corners.back().value - corners.front().value <= options.settled;
    if (result.settled) break;
    const std::vector<double> centre = centre_of_all_but_last(corners);
    Corner& worst = corners.back();
    Corner next = evaluated(along(centre, worst.point, -1.0));
    if (next.value < corners.front().value) {
      Corner further = evaluated(along(centre, worst.point, -expansion));
      worst = std::min(next, further, better);
    } else if (next.value < corners[corners.size() - 2].value) {
      worst = std::move(next);
    } else {
      const bool outside = next.value < worst.value;
      Corner inner = evaluated(along(centre, worst.point, outside ? -contraction : contraction));
      if (inner.value < std::min(next.value, worst.value)) {
        worst = std::move(inner);
      } else {
        for (std::size_t c = 1; c < corners.size(); ++c)
          corners[c] = evaluated(along(corners.front().point, corners[c].point, shrinkage));
      }
    }
    std::stable_sort(corners.begin(), corners.end(), better);
  }
  result.point = corners.front().point;
  result.value = corners.front().value;
  return result;
}

}  // namespace tauhat
