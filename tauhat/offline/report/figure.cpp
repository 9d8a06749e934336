#include "tauhat/offline/report/figure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <nlohmann/json.hpp>

#include "tauhat/offline/report/markup.hpp"
#include "tauhat/offline/report/thin.hpp"

namespace tauhat {
namespace {

// Plotly reads titles and names as a small HTML and undoes these entities itself.
std::string quoted(const std::string& text) {
  using Json = nlohmann::json;
  return Json(escaped(text)).dump(-1, ' ', false, Json::error_handler_t::replace);
}

// Six digits of the range rather than of the number: a clock that starts at 1.7e9 s must still advance.
int digits_for(const std::vector<double>& values) {
  double low = std::nan(""), high = std::nan("");
  for (const double value : values) {
    if (!std::isfinite(value)) continue;
    low = std::fmin(low, value);
    high = std::fmax(high, value);
  }
  const double size = std::max(std::abs(low), std::abs(high)), range = high - low;
  if (!(range > 0.0) || !std::isfinite(range)) return 6;
  return std::clamp(6 + static_cast<int>(std::log10(size / range)), 6, 17);
}

std::string numbers(const std::vector<double>& values) {
  const int digits = digits_for(values);
  std::string json = "[";
  for (const double value : values) {
    if (json.size() > 1) json += ',';
    if (std::isfinite(value))
      fmt::format_to(std::back_inserter(json), "{:.{}g}", value, digits);
    else
      json += "null";
  }
  return json + ']';
}

const char* name_of(Series::Kind kind) {
  switch (kind) {
    case Series::Kind::line:
      return "line";
    case Series::Kind::markers:
      return "markers";
    case Series::Kind::band:
      return "band";
    case Series::Kind::bars:
      return "bars";
  }
  return "line";
}

std::string series_json(const Series& series) {
  const Points points = thin(series);
  std::string json = fmt::format(R"({{"kind":"{}","name":{},"dashed":{},"hidden":{},"time":{},"x":{},"y":{})",
                                 name_of(series.kind), quoted(series.name), series.dashed, series.hidden,
                                 series.is_time_series, numbers(points.x), numbers(points.y));
  if (series.kind == Series::Kind::band) json += R"(,"upper":)" + numbers(points.upper);
  if (series.kind == Series::Kind::bars) {
    std::string labels;
    for (const std::string& label : series.labels) labels += (labels.empty() ? "" : ",") + quoted(label);
    json += fmt::format(R"(,"labels":[{}])", labels);
    if (!series.upper.empty()) json += R"(,"reach":)" + numbers(series.upper);
  }
  return json + '}';
}

}  // namespace

std::string figure_json(const Plot& plot) {
  std::string series;
  for (const Series& one : plot.series) series += (series.empty() ? "" : ",") + series_json(one);
  return script_safe(fmt::format(R"({{"x_label":{},"y_label":{},"logarithmic_x":{},"series":[{}]}})",
                                 quoted(plot.x_label), quoted(plot.y_label), plot.logarithmic_x, series));
}

}  // namespace tauhat
