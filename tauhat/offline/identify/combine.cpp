#include "tauhat/offline/identify/combine.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tauhat/offline/report/between_runs.hpp"
#include "tauhat/offline/report/find_result.hpp"
#include "tauhat/offline/report/verdict.hpp"

namespace tauhat {
namespace {

UncertaintyBudget budget_of(const Result& result) {
  UncertaintyBudget all_noise;
  all_noise.noise = *result.std;
  return result.budget.value_or(all_noise);
}

// What one log tells no more than a bound of, or nothing, their mean does not tell either.
void tell_no_more(const std::vector<const Result*>& values, Result& result) {
  using Told = Identifiability::Told;
  for (const Result* r : values) {
    if (!r->identifiability || r->identifiability->told == Told::identified) continue;
    result.ci95->at(0) = std::min(result.ci95->at(0), r->ci95->at(0));
    if (result.identifiability && result.identifiability->told >= r->identifiability->told) continue;
    result.identifiability = r->identifiability;
  }
}

// As between_runs.hpp says, weighed by all that is uncertain of each, and
//   noise^2 = sum w^2 noise^2,   inputs = sum w inputs,   model = sum w model
Result mean_of(const std::vector<const Result*>& values) {
  const auto n = static_cast<double>(values.size());
  double weights = 0.0;
  std::vector<RunValue> runs;
  for (const Result* r : values) {
    runs.push_back({r->value, budget_of(*r).noise, 1.0 / (*r->std * *r->std)});
    weights += runs.back().weight;
  }
  const BetweenRuns between = between_runs(runs);
  UncertaintyBudget budget;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const UncertaintyBudget one = budget_of(*values[i]);
    const double w = runs[i].weight / weights;
    budget.noise = std::hypot(budget.noise, w * one.noise);
    budget.inputs += w * one.inputs;
    budget.model += w * one.model;
  }
  budget.repeat = std::sqrt(between.repeat_variance());
  budget.repeat_freedom = n - 1.0;
  Result result = *values.front();
  result.value = between.mean;
  result.std = budget.total();
  const double half = coverage_factor(budget.freedom()) * budget.total();
  result.ci95 = {{between.mean - half, between.mean + half}};
  if (values.front()->ci95->at(0) >= 0.0) result.ci95->at(0) = std::max(result.ci95->at(0), 0.0);
  tell_no_more(values, result);
  const bool known = std::all_of(values.begin(), values.end(), [](const Result* r) { return r->budget.has_value(); });
  result.budget = known ? std::optional(budget) : std::nullopt;
  result.note = fmt::format("mean of {} logs, which differ by {:.2g}{} (standard deviation)", values.size(),
                            std::sqrt(between.spread), result.unit == "1" ? "" : " " + result.unit);
  return result;
}

Table table_of(const std::vector<BacklashAnswer>& runs) {
  Table table{"Each log by itself", {"log"}, {}};
  for (const Result& r : runs.front().report.results)
    table.columns.push_back(r.unit == "1" ? r.name : fmt::format("{} [{}]", r.name, r.unit));
  for (const BacklashAnswer& run : runs) {
    std::vector<std::string> row{run.source};
    for (const Result& first : runs.front().report.results) {
      const Result* r = find_result(run.report.results, first.name);
      row.push_back(r ? fmt::format("{:.5g} ± {:.2g}", r->value, k95 * r->std.value_or(0.0)) : "");
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
      const Result* r = find_result(run.report.results, first.name);
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
