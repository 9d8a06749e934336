#include "tauhat/offline/init/survey.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "tauhat/offline/error.hpp"
#include "tauhat/offline/log/csv.hpp"
#include "tauhat/offline/log/formats/formats.hpp"
#include "tauhat/offline/quantile.hpp"

namespace tauhat {
namespace {

constexpr std::size_t kCompared = 4000;  // samples of each column that are looked at

SurveyedColumn look_at(const Column& column) {
  SurveyedColumn seen;
  seen.info = {column.name, column.unit, column.values.size(), column.clock};
  std::vector<double> steps;
  bool back = false, whole = true, any = false;
  double before = 0.0;
  for (const double value : column.values) {
    if (seen.values.size() < kCompared) seen.values.push_back(value);  // NaN included: columns are compared row by row
    if (!std::isfinite(value)) continue;
    if (!any) seen.smallest = seen.largest = seen.first = value;
    seen.smallest = std::min(seen.smallest, value), seen.largest = std::max(seen.largest, value);
    whole = whole && value == std::floor(value);
    if (any) {
      back = back || value < before;
      if (steps.size() < kCompared) steps.push_back(value - before);
    }
    before = value, any = true;
  }
  seen.is_whole = whole && any;
  seen.is_constant = seen.smallest == seen.largest;
  seen.only_advances = !back && !seen.is_constant;
  seen.step = quantile_in_place(steps, 0.5);
  return seen;
}

std::string dialect_of(const CsvTable& table) {
  const char separator = table.dialect.separator;
  return fmt::format("separator {}, decimal {}, numbers from line {}",
                     separator == ' '    ? "space"
                     : separator == '\t' ? "tab"
                                         : fmt::format("'{}'", separator),
                     table.dialect.decimal_comma ? "comma" : "point", table.dialect.first_data_line);
}

}  // namespace

Survey survey_log(const std::string& path) {
  const Format& format = format_of(path);
  Survey survey{path, std::string(format.name), {}, {}, {}};
  if (format.objects) survey.skipped = format.objects(path);
  std::vector<std::string> names;
  std::vector<ColumnInfo> usable;
  for (const ColumnInfo& column : format.list(path)) {
    if (column.samples < 10) continue;
    names.push_back(column.name);
    usable.push_back(column);
  }
  if (names.empty()) throw Error(ExitCode::unusable_data, fmt::format("{}: no column has ten samples or more", path));
  const Recording recording = format.read(path, names);
  for (std::size_t i = 0; i < names.size(); ++i) {
    survey.columns.push_back(look_at(recording.columns[i]));
    survey.columns.back().info = usable[i];
  }
  if (recording.first_data_line > 0) {
    const CsvTable table = read_csv(path, {names.front()});
    survey.preamble = table.preamble;
    survey.dialect = dialect_of(table);
  }
  return survey;
}

// The correlation of the differences with the rate.
std::vector<Diagnostic> diagnose_skipped(const Survey& survey) {
  std::vector<Diagnostic> found;
  for (const std::string& what : survey.skipped)
    found.push_back({"log.skipped", Severity::info, fmt::format("Skipped: {}.", what)});
  return found;
}

bool is_slope_of(const SurveyedColumn& rate, const SurveyedColumn& position, const SurveyedColumn& time) {
  const std::size_t n = std::min({rate.values.size(), position.values.size(), time.values.size()});
  double xy = 0.0, xx = 0.0, yy = 0.0;
  for (std::size_t k = 1; k + 1 < n; ++k) {
    const double dt = time.values[k + 1] - time.values[k - 1];
    if (!(dt > 0.0)) continue;
    const double slope = (position.values[k + 1] - position.values[k - 1]) / dt, w = rate.values[k];
    if (!std::isfinite(slope + w)) continue;
    xy += slope * w, xx += slope * slope, yy += w * w;
  }
  return xx > 0.0 && yy > 0.0 && xy / std::sqrt(xx * yy) > 0.95;
}

}  // namespace tauhat
