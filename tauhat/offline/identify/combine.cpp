#include "tauhat/offline/identify/combine.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tauhat/offline/report/verdict.hpp"

namespace tauhat {
namespace {

const Result* find(const Report& report, const std::string& name) {
  const auto at =
      std::find_if(report.results.begin(), report.results.end(), [&](const Result& r) { return r.name == name; });
  return at == report.results.end() ? nullptr : &*at;
}

//   mean = sum w x / sum w,  w = 1 / std^2;   std = sqrt(1 / sum w) * max(1, sqrt(sum w (x - mean)^2 / (n - 1)))
Result mean_of(const std::vector<const Result*>& values) {
  double weight = 0.0, sum = 0.0, spread = 0.0;
  for (const Result* r : values) weight += 1.0 / (*r->std * *r->std), sum += r->value / (*r->std * *r->std);
  const double mean = sum / weight;
  for (const Result* r : values) spread += std::pow((r->value - mean) / *r->std, 2);
  const double birge = std::sqrt(spread / static_cast<double>(values.size() - 1));
  Result result = *values.front();
  result.value = mean;
  result.std = std::sqrt(1.0 / weight) * std::max(1.0, birge);
  result.ci95 = {{mean - 1.959964 * *result.std, mean + 1.959964 * *result.std}};
  if (values.front()->ci95->at(0) >= 0.0) result.ci95->at(0) = std::max(result.ci95->at(0), 0.0);
  result.note =
      fmt::format("mean of {} logs, which differ {:.1f} times as much as their intervals say", values.size(), birge);
  return result;
}

Table table_of(const std::vector<BacklashAnswer>& runs) {
  Table table{"Each log by itself", {"log"}, {}};
  for (const Result& r : runs.front().report.results)
    table.columns.push_back(r.unit == "1" ? r.name : fmt::format("{} [{}]", r.name, r.unit));
  for (const BacklashAnswer& run : runs) {
    std::vector<std::string> row{run.source};
    for (const Result& first : runs.front().report.results) {
      const Result* r = find(run.report, first.name);
      row.push_back(r ? fmt::format("{:.5g} ± {:.2g}", r->value, 1.959964 * r->std.value_or(0.0)) : "");
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

}  // namespace

Report combine_runs(const Study& study, const std::vector<BacklashAnswer>& runs) {
  if (runs.size() == 1) return runs.front().report;
  Report report = runs.front().report;
  report.title = fmt::format("Backlash: {} on {} logs", study.source, runs.size());
  report.results.clear();
  report.verdicts.clear();
  report.diagnostics.clear();
  for (const BacklashAnswer& run : runs) {
    for (Diagnostic d : run.report.diagnostics) {
      d.message = fmt::format("{}: {}", run.source, d.message);
      report.diagnostics.push_back(std::move(d));
    }
  }
  for (const Result& first : runs.front().report.results) {
    std::vector<const Result*> values;
    for (const BacklashAnswer& run : runs) {
      const Result* r = find(run.report, first.name);
      if (r && r->std && *r->std > 0.0 && std::isfinite(*r->std)) values.push_back(r);
    }
    // A result that not every log gives (two stiffnesses in some of them) has no common mean.
    if (values.size() == runs.size()) report.results.push_back(mean_of(values));
  }
  judge_limits(study, report);
  report.headline =
      is_trusted(report.diagnostics)
          ? fmt::format("Combined from {} logs; the table below shows each by itself.", runs.size())
          : "Not all logs give an answer that can be trusted. The diagnostics say which, why, and what to record.";
  report.sections.insert(report.sections.begin(),
                         {"The logs", "Plots further below are of the first log.", {}, {table_of(runs)}});
  return report;
}

}  // namespace tauhat
