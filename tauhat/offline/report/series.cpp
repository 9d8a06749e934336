#include "tauhat/offline/report/series.hpp"

#include <algorithm>

#include "tauhat/offline/report/thin.hpp"

namespace tauhat {
namespace {

// A million samples are thinned at once: a report of them holds, and hands on, what it shows.
Series thinned(Series series) {
  Points points = thin(series);
  series.x = std::move(points.x);
  series.y = std::move(points.y);
  series.upper = std::move(points.upper);
  return series;
}

Series series_of(Series::Kind kind, bool advances, std::string name, std::vector<double> x, std::vector<double> y) {
  return thinned(
      {.kind = kind, .name = std::move(name), .x = std::move(x), .y = std::move(y), .is_time_series = advances});
}

}  // namespace

Result with_interval(std::string name, double value, double std, std::string unit, double lowest) {
  Result result{.name = std::move(name),
                .value = value,
                .std = std,
                .ci95 = {{std::max(value - k95 * std, lowest), value + k95 * std}},
                .unit = std::move(unit)};
  result.identifiability = identifiability_of(result, lowest);
  return result;
}

Series line(std::string name, std::vector<double> x, std::vector<double> y) {
  return series_of(Series::Kind::line, true, std::move(name), std::move(x), std::move(y));
}
Series curve(std::string name, std::vector<double> x, std::vector<double> y) {
  return series_of(Series::Kind::line, false, std::move(name), std::move(x), std::move(y));
}
Series markers(std::string name, std::vector<double> x, std::vector<double> y) {
  return series_of(Series::Kind::markers, true, std::move(name), std::move(x), std::move(y));
}
Series cloud(std::string name, std::vector<double> x, std::vector<double> y) {
  return series_of(Series::Kind::markers, false, std::move(name), std::move(x), std::move(y));
}

Series dashed(Series series) {
  series.dashed = true;
  return series;
}
Series hidden(Series series) {
  series.hidden = true;
  return series;
}

Series band(std::string name, std::vector<double> x, const std::vector<double>& value, const std::vector<double>& std,
            double factor) {
  Series series{.kind = Series::Kind::band, .name = std::move(name), .x = std::move(x)};
  for (std::size_t k = 0; k < value.size(); ++k) {
    series.y.push_back(factor * (value[k] - k95 * std[k]));
    series.upper.push_back(factor * (value[k] + k95 * std[k]));
  }
  return thinned(std::move(series));
}

std::vector<double> scaled(std::vector<double> values, double factor) {
  for (double& v : values) v *= factor;
  return values;
}

}  // namespace tauhat
