// tauhat reproduce limits: truths outside of the models, method by method.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "tauhat/offline/error.hpp"
#include "tauhat/offline/reproduce/figures.hpp"
#include "tauhat/offline/reproduce/limits_grid.hpp"

namespace tauhat {
namespace {

// Spaces may be written as such.
bool is_among(std::string only, const limits::Cell& cell) {
  std::replace(only.begin(), only.end(), ' ', '_');
  return cell.name().find(only) != std::string::npos;
}

void add_figures(const limits::CellSummary& cell, Report& report) {
  const auto add = [&](const char* what, double value, std::optional<double> limit, bool at_most) {
    report.results.push_back(total_of({cell.name() + what, limit, "1", at_most}, value, cell.runs));
  };
  add(".coverage", cell.least_coverage(), {}, false);
  add(".flagged", cell.flagged, {}, false);
  add(".met", cell.is_met ? 1.0 : 0.0, 1.0, false);
}

}  // namespace

Report reproduce_limits(const ReproduceOptions& options) {
  const int seeds = options.seeds.value_or(options.quick ? 20 : 200);
  const int without_misfit = options.seeds.value_or(options.quick ? 100 : 1000);
  std::vector<limits::Cell> all;
  for (const auto& of_a_method :
       {limits::backlash_cells(), limits::friction_cells(), limits::gap_cells(), limits::bench_cells(),
        limits::link_cells(), limits::robot_cells(), limits::force_cells()})
    std::copy_if(of_a_method.begin(), of_a_method.end(), std::back_inserter(all),
                 [&](const limits::Cell& cell) { return is_among(options.only, cell); });
  if (all.empty())
    throw Error(ExitCode::wrong_use,
                fmt::format("--only \"{}\": no cell has this in its name, as in \"limits.backlash.torque gain.+2 %\"",
                            options.only));
  const auto cells = limits::run_grid(all, seeds, without_misfit, options);
  Report report;
  report.command = "reproduce";
  report.title = "Limits: truths outside of the models";
  for (const limits::CellSummary& cell : cells) add_figures(cell, report);
  if (options.write_page) options.write_page(limits::limits_page(cells));
  return report;
}

}  // namespace tauhat
