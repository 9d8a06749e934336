#include "tauhat/offline/report/thin.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tauhat {
namespace {

constexpr double kBreak = std::numeric_limits<double>::quiet_NaN();

std::size_t size_of(const Series& series) { return std::min(series.x.size(), series.y.size()); }

bool drawable(const Series& series, std::size_t i) { return std::isfinite(series.x[i]) && std::isfinite(series.y[i]); }

Points chosen(const Series& series, const std::vector<std::size_t>& indices) {
  Points points;
  for (const std::size_t i : indices) {
    points.x.push_back(series.x[i]);
    points.y.push_back(drawable(series, i) ? series.y[i] : kBreak);
  }
  return points;
}

// The extremes of the samples in [begin, end), in their order, and a sample that breaks the line if there is
// one. The break stands after the extremes, or before them if it came first: between them it would hide both.
void append_extremes(const Series& series, std::size_t begin, std::size_t end, std::vector<std::size_t>& to) {
  const std::size_t none = end;
  std::size_t low = none, high = none, left = none, right = none, gap = none;
  for (std::size_t i = begin; i < end; ++i) {
    if (!drawable(series, i)) {
      gap = i;
      continue;
    }
    if (low == none || series.y[i] < series.y[low]) low = i;
    if (high == none || series.y[i] > series.y[high]) high = i;
    if (left == none || series.x[i] < series.x[left]) left = i;
    if (right == none || series.x[i] > series.x[right]) right = i;
  }
  std::vector<std::size_t> extremes;
  if (low != none) extremes = {low, high};
  // A curve may turn back in x (a hysteresis loop); time only advances.
  if (low != none && !series.is_time_series) extremes.insert(extremes.end(), {left, right});
  std::sort(extremes.begin(), extremes.end());
  extremes.erase(std::unique(extremes.begin(), extremes.end()), extremes.end());
  const bool gap_first = gap != none && !extremes.empty() && gap < extremes.front();
  if (gap_first) to.push_back(gap);
  to.insert(to.end(), extremes.begin(), extremes.end());
  if (gap != none && !gap_first) to.push_back(gap);
}

}  // namespace

Points thin_line(const Series& series, std::size_t most) {
  const std::size_t size = size_of(series);
  std::vector<std::size_t> indices;
  if (size <= most) {
    for (std::size_t i = 0; i < size; ++i) indices.push_back(i);
    return chosen(series, indices);
  }
  const std::size_t per_bucket = series.is_time_series ? 3 : 5;  // with the break
  const std::size_t buckets = std::max<std::size_t>((most - 2) / per_bucket, 1);
  indices.push_back(0);
  for (std::size_t bucket = 0; bucket < buckets; ++bucket)
    append_extremes(series, 1 + (size - 2) * bucket / buckets, 1 + (size - 2) * (bucket + 1) / buckets, indices);
  indices.push_back(size - 1);
  return chosen(series, indices);
}

Points thin_band(const Series& series, std::size_t most) {
  const std::size_t size = std::min(size_of(series), series.upper.size());
  const std::size_t buckets = std::min(size, most);
  Points points;
  for (std::size_t bucket = 0; bucket < buckets; ++bucket) {
    const std::size_t begin = size * bucket / buckets, end = size * (bucket + 1) / buckets;
    double lower = kBreak, upper = kBreak;
    for (std::size_t i = begin; i < end; ++i) {
      if (!drawable(series, i) || !std::isfinite(series.upper[i])) continue;
      lower = std::fmin(lower, series.y[i]);  // fmin and fmax pass over the NaN they start with
      upper = std::fmax(upper, series.upper[i]);
    }
    // The outer buckets stand at their outer sample, so that the band spans what its line spans.
    points.x.push_back(series.x[bucket + 1 == buckets ? end - 1 : begin]);
    points.y.push_back(lower);
    points.upper.push_back(upper);
  }
  return points;
}

Points thin(const Series& series) {
  if (series.kind == Series::Kind::bars) return {series.x, series.y, {}};
  if (series.kind == Series::Kind::band) return thin_band(series);
  // Extremes alone would hollow out a scatter, so that white noise looks like two clouds.
  return series.kind == Series::Kind::markers ? thin_cloud(series) : thin_line(series);
}

}  // namespace tauhat
