#include "tauhat/offline/log/clock.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "tauhat/offline/error.hpp"
#include "tauhat/offline/quantile.hpp"

namespace tauhat {
namespace {

constexpr double kGapPeriods = 3.0;      // a longer step is a gap
constexpr double kNotableJitter = 0.20;  // of the median period, between its 5 % and 95 % quantiles

// At rest a coarse clock's rows look like duplicates; this share of them must differ for a coarse clock.
constexpr double kDifferingShare = 0.02;

bool same_value(double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); }

bool same_values(const std::vector<const Column*>& columns, std::size_t row, std::size_t other) {
  return std::all_of(columns.begin(), columns.end(),
                     [=](const Column* column) { return same_value(column->values[row], column->values[other]); });
}

// Rows at the end that are empty altogether: a spreadsheet's, or a shorter pair of columns beside a longer.
std::size_t rows_before_empty_end(const Column& stamps, const std::vector<const Column*>& values) {
  std::size_t rows = stamps.values.size();
  const auto is_empty = [&](std::size_t row) {
    return std::isnan(stamps.values[row]) && std::all_of(values.begin(), values.end(), [row](const Column* column) {
             return std::isnan(column->values[row]);
           });
  };
  while (rows > 0 && is_empty(rows - 1)) --rows;
  return rows;
}

void refuse_unordered(const Recording& table, const Column& stamps, double scale, std::size_t rows) {
  for (std::size_t row = 0; row < rows; ++row) {
    const double stamp = stamps.values[row];
    if (!std::isfinite(stamp))
      throw Error(ExitCode::unusable_data,
                  fmt::format("{}: column \"{}\": the time of this row is missing", table.place_of(row), stamps.name));
    if (row > 0 && stamp < stamps.values[row - 1])
      throw Error(ExitCode::unusable_data,
                  fmt::format("{}: column \"{}\": time runs backwards, from {:.9g} s to {:.9g} s", table.place_of(row),
                              stamps.name, scale * stamps.values[row - 1], scale * stamp));
  }
}

// Rows to keep: all of a coarse clock, else those that are no copy of the row before.
std::vector<std::size_t> rows_without_duplicates(const Column& stamps, const std::vector<const Column*>& values,
                                                 std::size_t rows) {
  std::vector<std::size_t> all(rows), unique;
  std::iota(all.begin(), all.end(), std::size_t{0});
  std::size_t repeated = 0, differing = 0;
  for (const std::size_t row : all) {
    const bool repeats = row > 0 && stamps.values[row] == stamps.values[row - 1];
    const bool is_copy = repeats && same_values(values, row, row - 1);
    if (repeats) ++repeated;
    if (repeats && !is_copy) ++differing;
    if (!is_copy) unique.push_back(row);
  }
  const bool coarse =
      differing > 0 && static_cast<double>(differing) >= kDifferingShare * static_cast<double>(repeated);
  return coarse ? all : unique;
}

struct Run {
  std::size_t first, length;  // samples that share a stamp
};

std::vector<Run> runs_of_equal_stamps(const std::vector<double>& time) {
  std::vector<Run> runs;
  for (std::size_t k = 0; k < time.size(); ++k) {
    if (runs.empty() || time[k] != time[runs.back().first])
      runs.push_back({k, 1});
    else
      ++runs.back().length;
  }
  return runs;
}

// Samples of one run lie between its stamp and the next:  t_j = T_i + j (T_{i+1} - T_i) / m_i
// The first run may have begun before the log, so it ends at the next stamp; the last has no next stamp, and
// a run before a gap does not reach it. These three use the median period. Returns that period.
double spread_repeated(std::vector<double>& time, const std::vector<Run>& runs) {
  const auto stamp = [&, stamps = time](std::size_t run) { return stamps[runs[run].first]; };
  std::vector<double> periods;
  for (std::size_t i = 0; i + 1 < runs.size(); ++i)
    periods.push_back((stamp(i + 1) - stamp(i)) / static_cast<double>(runs[i].length));
  const double period = quantile_in_place(periods, 0.5);
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const auto length = static_cast<double>(runs[i].length);
    double start = stamp(i), step = period;
    if (i + 1 < runs.size()) {
      const double even_step = (stamp(i + 1) - stamp(i)) / length;
      if (i == 0 && period < even_step)
        start = stamp(1) - length * period;
      else if (even_step <= kGapPeriods * period)
        step = even_step;
    }
    for (std::size_t j = 0; j < runs[i].length; ++j) time[runs[i].first + j] = start + static_cast<double>(j) * step;
  }
  return period;
}

}  // namespace

Clock clock_from_rate(std::size_t rows, double rate) {
  Clock clock{std::vector<double>(rows), std::vector<std::size_t>(rows)};
  for (std::size_t k = 0; k < rows; ++k) {
    clock.time[k] = static_cast<double>(k) / rate;
    clock.rows[k] = k;
  }
  return clock;
}

Clock clock_from_stamps(const Recording& table, const Column& stamps, double scale,
                        const std::vector<const Column*>& values, std::vector<Diagnostic>& diagnostics) {
  const std::size_t rows = rows_before_empty_end(stamps, values);
  refuse_unordered(table, stamps, scale, rows);
  Clock clock;
  clock.rows = rows_without_duplicates(stamps, values, rows);
  for (const std::size_t row : clock.rows) clock.time.push_back(scale * stamps.values[row]);
  if (clock.rows.size() < rows)
    diagnostics.push_back({"log.duplicate", Severity::warning,
                           fmt::format("{} of {} rows repeat the row before them, time included; they were dropped.",
                                       rows - clock.rows.size(), rows)});
  const std::vector<Run> runs = runs_of_equal_stamps(clock.time);
  if (runs.size() < 2 && clock.time.size() > 1)
    throw Error(ExitCode::unusable_data,
                fmt::format("{}: column \"{}\": time never advances, all {} rows have {:.9g} s", table.source,
                            stamps.name, rows, clock.time.front()));
  if (runs.size() < clock.time.size()) {
    const double period = spread_repeated(clock.time, runs);
    diagnostics.push_back(
        {"log.repeated_stamps", Severity::info,
         fmt::format("Column \"{}\" is a coarse clock: {} rows share {} stamps; they were spread evenly "
                     "between them, about {:.4g} ms apart.",
                     stamps.name, clock.time.size(), runs.size(), 1e3 * period)});
  }
  return clock;
}

void check_period(const Clock& clock, const Recording& table, const std::string& name,
                  std::vector<Diagnostic>& diagnostics) {
  std::vector<double> periods;
  for (std::size_t k = 1; k < clock.time.size(); ++k) periods.push_back(clock.time[k] - clock.time[k - 1]);
  std::vector<double> reordered = periods;
  const double median = quantile_in_place(reordered, 0.5);
  const double jitter = (quantile_in_place(reordered, 0.95) - quantile_in_place(reordered, 0.05)) / median;
  const auto gaps =
      std::count_if(periods.begin(), periods.end(), [median](double period) { return period > kGapPeriods * median; });
  if (gaps > 0) {
    const auto largest = std::max_element(periods.begin(), periods.end()) - periods.begin();
    const auto before = static_cast<std::size_t>(largest);
    diagnostics.push_back(
        {"log.gap", Severity::warning,
         fmt::format("Column \"{}\": {} {} than {} periods of {:.4g} ms; the largest, {:.4g} s, follows "
                     "{:.6g} s ({}).",
                     name, gaps, gaps == 1 ? "gap longer" : "gaps longer", kGapPeriods, 1e3 * median, periods[before],
                     clock.time[before], table.row_name(clock.rows[before]))});
  }
  if (jitter > kNotableJitter)
    diagnostics.push_back({"log.jitter", Severity::info,
                           fmt::format("Column \"{}\": the period varies by {:.0f} % of its median, {:.4g} ms.", name,
                                       100.0 * jitter, 1e3 * median)});
}

}  // namespace tauhat
