// A plan as numbers, pictures and the table of what was tried.
#include <fmt/format.h>

#include <cmath>

#include "tauhat/offline/plan/plan.hpp"
#include "tauhat/offline/report/series.hpp"

namespace tauhat {
namespace {

Plot over_time(const std::string& title, const std::string& unit, const Plan& plan, const std::vector<double>& values,
               double limit, bool symmetric) {
  Plot plot{.title = title, .x_label = "time [s]", .y_label = unit, .caption = {}, .series = {}};
  plot.series.push_back(line(title, plan.motion.time, values));
  if (!std::isfinite(limit)) return plot;
  const std::vector<double> ends{plan.motion.time.front(), plan.motion.time.back()};
  plot.series.push_back(dashed(line("limit", ends, {limit, limit})));
  if (symmetric) plot.series.push_back(dashed(line("limit", ends, {-limit, -limit})));
  return plot;
}

Table table_of(const Plan& plan, const PlanUnits& units) {
  Table table{"What was tried",
              {"excitation", fmt::format("peak [{}]", units.force), fmt::format("speed [{}]", units.speed),
               fmt::format("travel [{}]", units.travel), "standard deviation"},
              {}};
  for (const PlannedRecord& record : plan.tried) {
    table.rows.push_back(
        {record.candidate.name(), fmt::format("{:.3g}", record.force), fmt::format("{:.3g}", record.speed),
         fmt::format("{:.3g}", record.travel),
         record.found ? fmt::format("{:.3g} {}", *record.found->std, record.found->unit) : "none: " + record.reason});
  }
  return table;
}

}  // namespace

Report plan_report(const Plan& plan, const PlanSpec& spec, const PlanTrials& trials, const PlanUnits& units,
                   const std::string& study) {
  Report report;
  report.command = "plan";
  report.title = fmt::format("Plan of {}", study);
  const Result& predicted = *plan.chosen.found;
  const std::string said = spoken(*predicted.std, predicted.unit);
  report.headline = fmt::format("{}, {:.3g} s: {} to {:.3g} {}{} (one standard deviation) is predicted.",
                                plan.chosen.candidate.name(), plan.motion.time.back(), spec.quantity, *predicted.std,
                                predicted.unit, said.empty() ? "" : fmt::format(", that is {}", said));
  report.results.push_back(predicted);
  const auto add = [&](const char* name, double value, const std::string& unit, const char* note) {
    report.results.push_back({.name = name, .value = value, .unit = unit, .note = note});
  };
  add("plan.input", plan.chosen.force, units.force, "peak");
  add("plan.speed", plan.chosen.speed, units.speed, "peak, of the believed drive");
  add("plan.travel", plan.chosen.travel, units.travel, "from end to end, of the believed drive");
  Section section{"The excitation",
                  "Played to the drive as [drive] and [simulate] describe it; the real one will move a little "
                  "differently. The standard deviation is that of the fit to such records, and holds as far as the "
                  "model does.",
                  {},
                  {table_of(plan, units)}};
  section.plots.push_back(over_time(units.input, units.force, plan, plan.motion.input, spec.force, true));
  section.plots.push_back(over_time("speed", units.speed, plan, plan.motion.truth[trials.speed], spec.speed, true));
  section.plots.push_back(
      over_time("position", units.travel, plan, plan.motion.truth[trials.travel], PlanSpec::kFree, false));
  report.sections.push_back(std::move(section));
  return report;
}

}  // namespace tauhat
