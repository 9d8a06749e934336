// tauhat estimate: states and unknowns over time, with their standard deviation.
#include <fmt/format.h>

#include <cmath>

#include "tauhat/cli/commands.hpp"
#include "tauhat/cli/estimate_csv.hpp"
#include "tauhat/cli/estimate_robot.hpp"
#include "tauhat/cli/output.hpp"
#include "tauhat/cli/progress.hpp"
#include "tauhat/offline/gap/gap_report.hpp"
#include "tauhat/offline/identify/estimation.hpp"
#include "tauhat/offline/report/series.hpp"
#include "tauhat/offline/report/verdict.hpp"

namespace tauhat::cli {
namespace {

using Arguments = EstimateArguments;

Report make_report(const Study& study, const Arguments& arguments, const std::vector<OutputInfo>& outputs,
                   const std::vector<Track>& tracks, const Estimation& estimation) {
  const auto& [timeline, intensity, estimator, replay, budgets, diagnostics, refusals] = estimation;
  Report report;
  report.command = "estimate";
  report.title = fmt::format("Estimates: {} on {}", arguments.study, arguments.log);
  report.headline = fmt::format("{} instants, {}. Values below are those of the last instant.", timeline.size(),
                                arguments.smooth ? "smoothed: x(k|all)" : "filtered: x(k|k)");
  report.diagnostics = diagnostics;
  Section section{"Over time", "Bands are 95 %.", {}, {}};
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    const auto& [value, std] = tracks[i];
    report.results.push_back(with_interval(outputs[i].name, value.back(), std.back(), outputs[i].unit));
    if (!budgets.empty()) report.results.back().budget = budgets[i];
    if (arguments.paths.html.empty()) continue;
    Plot plot{.title = outputs[i].name, .x_label = "time [s]", .y_label = outputs[i].unit, .caption = {}, .series = {}};
    plot.series = {band(outputs[i].name + ", 95 %", timeline.time, value, std),
                   line(outputs[i].name, timeline.time, value)};
    section.plots.push_back(std::move(plot));
  }
  report.sections.push_back(std::move(section));
  if (study.powertrain) say_mode(report.results);
  if (study.powertrain && study.powertrain->tells_positions_only())
    std::erase_if(report.results, [](const Result& result) { return !std::isfinite(result.value); });
  if (study.powertrain && !arguments.paths.html.empty())
    report.sections = gap_sections(timeline.time, replay, timeline, read_gap_truth(arguments.log, study));
  return report;
}

ExitCode run(const Arguments& arguments) {
  require_writable(arguments.output);
  require_writable(arguments.paths);
  const Study study = read_study(arguments.study);
  if (study.test)
    throw Error(
        ExitCode::wrong_use,
        fmt::format("{}: a bench test ([test]) has nothing to estimate over time; use identify", arguments.study));
  if (study.channels.empty())
    throw Error(ExitCode::wrong_use,
                fmt::format("{}: [log] is missing: it says what the log's columns mean", arguments.study));
  if (study.robot) return estimate_robot(study, arguments);
  if (!arguments.floor.empty())
    throw Error(ExitCode::wrong_use,
                fmt::format("{}: --floor is for robots: the study has no [robot]", arguments.study));
  if (arguments.smooth && (study.powertrain || study.joint || study.elastic_axes))
    throw Error(ExitCode::wrong_use,
                fmt::format("{}: --smooth: {} has no smoother", arguments.study,
                            study.powertrain ? "a filter that switches between contact and gap"
                                             : "an observer of link velocities, which is made for control,"));
  const Log log = read_log(arguments.log, study.log_spec());
  Progress progress;
  const Estimation estimation =
      estimate(study, log, arguments.smooth, [&](double share) { progress.show("filtering", share); });
  if (!estimation.refusals.empty())
    throw Error(ExitCode::untrusted, fmt::format("{}: {}", arguments.log, estimation.refusals.front().message));
  const auto& tracks = arguments.smooth ? estimation.replay.smoothed : estimation.replay.filtered;
  const std::vector<OutputInfo> outputs = online_outputs(study, *estimation.estimator);
  write_estimates(arguments.output, estimation.timeline.time, outputs, tracks, estimation.replay.lagged);
  const Report report = make_report(study, arguments, outputs, tracks, estimation);
  publish(report, arguments.paths, arguments.output != "-");
  return exit_code_of(report);
}

}  // namespace

void add_estimate(CommandLine& line) {
  auto arguments = std::make_shared<Arguments>();
  auto command = line.add_command(
      "estimate", "states and unknowns over time, with std",
      "With [estimator] lag in the study, <output>.lagged and <output>.lagged.std use that many samples after each "
      "instant, too.\n\n"
      "Example: tauhat estimate studies/demo/demo.toml run.csv -o estimate.csv --smooth");
  command.add_option("STUDY", arguments->study, "study file (TOML)").required();
  command.add_option("LOG", arguments->log, "log file (CSV); - is standard input").required();
  command.add_option("-o,--output", arguments->output, "estimates to write (CSV); - is standard output");
  command.add_option("--floor", arguments->floor,
                     "log of a robot's motion without contact: what its force shows there, and the contact threshold");
  command.add_flag("--smooth", arguments->smooth, "use samples before and after each instant");
  command.add_report(arguments->paths);
  command.runs(run, arguments);
}

}  // namespace tauhat::cli
