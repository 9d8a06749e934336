#include <algorithm>
#include <array>
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

// An even choice of `share` among the `count` points of a cell, begun at another place in each cell: the same
// place in all would draw the grid instead of the cloud, and the first points only the start of the log.
bool is_chosen(std::size_t nth, std::size_t count, std::size_t share, std::size_t cell) {
  constexpr std::size_t kScatter = 2654435761u;  // Knuth's multiplicative hash
  const std::size_t turned = (nth + cell * kScatter % count) % count;
  return (turned + 1) * share / count != turned * share / count;
}

std::size_t kept(const Grid& grid, std::size_t share) {
  std::size_t sum = 0;
  for (const std::size_t count : grid.count) sum += std::min(count, share);
  return sum;
}

// Kept whatever their cell, so that the axes span what the data span.
std::array<std::size_t, 4> extremes(const Points& points) {
  const auto [left, right] = std::minmax_element(points.x.begin(), points.x.end());
  const auto [bottom, top] = std::minmax_element(points.y.begin(), points.y.end());
  const auto index = [](auto at, const std::vector<double>& in) { return static_cast<std::size_t>(at - in.begin()); };
  return {index(left, points.x), index(right, points.x), index(bottom, points.y), index(top, points.y)};
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
  Points all = finite_points(series);
  if (all.x.size() <= most) return all;
  most -= std::min<std::size_t>(most, 4);  // for the extremes
  Grid grid = sort_into_cells(all, kFinestGrid);
  while (grid.cells > 1 && kept(grid, 1) > most) grid = sort_into_cells(all, grid.cells / 2);
  std::size_t share = 1;  // points a cell may keep
  while (kept(grid, share + 1) <= most) ++share;

  Points points;
  const auto outermost = extremes(all);
  std::vector<std::size_t> seen(grid.count.size());
  for (std::size_t i = 0; i < all.x.size(); ++i) {
    const std::size_t cell = grid.cell_of[i], count = grid.count[cell], nth = seen[cell]++;
    const bool drawn = count <= share || is_chosen(nth, count, share, cell);
    if (!drawn && std::find(outermost.begin(), outermost.end(), i) == outermost.end()) continue;
    points.x.push_back(all.x[i]);
    points.y.push_back(all.y[i]);
  }
  return points;
}

}  // namespace tauhat
