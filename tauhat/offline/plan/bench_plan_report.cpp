// The plan of a bench test as numbers, pictures and the table of what was tried.
#include <fmt/format.h>

#include "tauhat/offline/plan/bench_plan.hpp"
#include "tauhat/offline/report/series.hpp"
#include "tauhat/offline/report/spoken.hpp"
#include "tauhat/offline/units.hpp"

namespace tauhat {
namespace {

Table table_of(const BenchPlan& plan) {
  Table table{
      "What was tried", {"positions", "loops at each", "ramps [N m/s]", "standard deviation", "95 % interval, ±"}, {}};
  for (const PlannedTest& test : plan.tried) {
    const auto said = [&](double value) { return fmt::format("{:.3g} {}", value, test.found->unit); };
    table.rows.push_back({fmt::format("{}", test.schedule.positions), fmt::format("{}", test.schedule.ramps.loops),
                          fmt::format("{:.3g}", test.schedule.ramps.rate),
                          test.found ? said(*test.found->std) : "none: " + test.reason,
                          test.found ? said(test.half_width) : ""});
  }
  return table;
}

Plot ramps_plot(const TorqueLoops& ramps) {
  Plot plot{"Torque at one position", "time [s]", "torque at the output [N m]", {}, {}};
  std::vector<double> time, torque;
  for (int quarter = 0; quarter <= 4 * ramps.loops; ++quarter) {
    time.push_back(0.25 * quarter * ramps.loop_duration());
    torque.push_back(ramps.largest * (quarter % 4 == 1 ? 1.0 : quarter % 4 == 3 ? -1.0 : 0.0));
  }
  plot.series.push_back(line("torque", std::move(time), std::move(torque)));
  return plot;
}

Plot loop_plot(const HysteresisRecord& file) {
  Plot plot{"What the believed gear will show", "torque at the output [N m]", "twist [arcmin]", {}, {}};
  plot.series.push_back(curve("one position", file.ramp.torque, scaled(file.ramp.displacement, 1.0 / kArcmin)));
  return plot;
}

}  // namespace

Report bench_plan_report(const BenchPlan& plan, const BenchPlanSpec& spec, const std::string& study) {
  const BenchSchedule& schedule = plan.chosen.schedule;
  const Result& predicted = *plan.chosen.found;
  const std::string said = spoken(*predicted.std, predicted.unit);
  Report report;
  report.command = "plan";
  report.title = fmt::format("Plan of {}", study);
  report.headline = fmt::format(
      "{} positions of the output, {} loops at each, {:.3g} N m/s: {} to {:.3g} {}{} (one standard deviation) is "
      "predicted.",
      schedule.positions, schedule.ramps.loops, schedule.ramps.rate, spec.quantity, *predicted.std, predicted.unit,
      said.empty() ? "" : fmt::format(", that is {}", said));
  report.results.push_back(predicted);
  const auto add = [&](const char* name, double value, const char* unit, const char* note) {
    report.results.push_back({.name = name, .value = value, .unit = unit, .note = note});
  };
  add("plan.positions", schedule.positions, "1", "of the output, a file each");
  add("plan.loops", schedule.ramps.loops, "1", "at each position");
  add("plan.torque_rate", schedule.ramps.rate, "N m/s", "at the output");
  add("plan.duration", schedule.positions * (schedule.ramps.duration() + spec.change), "s", "with all changes");
  Section section{
      "The test",
      "Tried on gears drawn about the one that [plan] believes in. The interval is for one more position of "
      "the output; positions that differ by more than `spread` make it wider.",
      {},
      {table_of(plan)}};
  section.plots.push_back(ramps_plot(schedule.ramps));
  section.plots.push_back(loop_plot(simulated_test(spec, schedule, 1).front()));
  report.sections.push_back(std::move(section));
  return report;
}

}  // namespace tauhat
