#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include "tauhat/offline/report/thin.hpp"

namespace tauhat {
namespace {

constexpr std::size_t kFinestGrid = 120;  // cells a side: about a marker's size in a plot

struct Range {
  double low = std::numeric_limits<double>::infinity(), high = -low;

  void include(double value) {
    low = std::min(low, value);
    high = std::max(high, value);
  }

  std::size_t cell(double value, std::size_t cells) const {
    if (!(high > low)) return 0;
    const double share = (value / 2 - low / 2) / (high / 2 - low / 2);  // halves: the width may overflow
    return std::min(static_cast<std::size_t>(share * static_cast<double>(cells)), cells - 1);
  }
};

struct Grid {
  std::size_t cells = kFinestGrid;
  std::vector<std::uint32_t> cell_of;  // of each point
  std::vector<std::size_t> count;      // of each cell
};

Grid sort_into_cells(const Points& points, std::size_t cells) {
  Range width, height;
  for (const double x : points.x) width.include(x);
  for (const double y : points.y) height.include(y);
  Grid grid{.cells = cells, .cell_of = {}, .count = std::vector<std::size_t>(cells * cells)};
  grid.cell_of.reserve(points.x.size());
  for (std::size_t i = 0; i < points.x.size(); ++i) {
    const std::size_t cell = height.cell(points.y[i], cells) * cells + width.cell(points.x[i], cells);
    grid.cell_of.push_back(static_cast<std::uint32_t>(cell));
    ++grid.count[cell];
  }
  return grid;
}

std::size_t kept(const Grid& grid, std::size_t share) {
  std::size_t sum = 0;
  for (const std::size_t count : grid.count) sum += std::min(count, share);
  return sum;
}

Points finite_points(const Series& series) {
  Points points;
  for (std::size_t i = 0; i < std::min(series.x.size(), series.y.size()); ++i) {
    if (!std::isfinite(series.x[i]) || !std::isfinite(series.y[i])) continue;
    points.x.push_back(series.x[i]);
    points.y.push_back(series.y[i]);
  }
  return points;
}

}  // namespace

Points thin_cloud(const Series& series, std::size_t most) {
  const Points all = finite_points(series);
  if (all.x.size() <= most || most == 0) return all;
  Grid grid = sort_into_cells(all, kFinestGrid);
  while (grid.cells > 1 && kept(grid, 1) > most) grid = sort_into_cells(all, grid.cells / 2);
  std::size_t share = 1;  // points a cell may keep
  while (kept(grid, share + 1) <= most) ++share;

  Points points;
  std::vector<std::size_t> seen(grid.count.size());
  for (std::size_t i = 0; i < all.x.size(); ++i) {
    const std::size_t cell = grid.cell_of[i], count = grid.count[cell], nth = seen[cell]++;
    // An even choice over the cell's points: the first ones would show only the start of the log.
    if (count > share && (nth + 1) * share / count == nth * share / count) continue;
    points.x.push_back(all.x[i]);
    points.y.push_back(all.y[i]);
  }
  return points;
}

}  // namespace tauhat
