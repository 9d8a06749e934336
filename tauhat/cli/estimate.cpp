// tauhat estimate: states and unknowns over time, with their standard deviation.
#include <fmt/format.h>

#include <cmath>
#include <iterator>

#include "tauhat/cli/commands.hpp"
#include "tauhat/cli/output.hpp"
#include "tauhat/cli/progress.hpp"
#include "tauhat/offline/identify/intensity.hpp"
#include "tauhat/offline/identify/prepare.hpp"

namespace tauhat::cli {
namespace {

struct Arguments {
  std::string study, log, output = "-";
  bool smooth = false;
  ReportPaths paths;
};

std::string to_csv(const std::vector<double>& time, const std::vector<OutputInfo>& outputs,
                   const std::vector<Track>& tracks) {
  std::string text = "time";
  for (const auto& output : outputs) text += fmt::format(",{0},{0}.std", output.name);
  text += '\n';
  for (std::size_t k = 0; k < time.size(); ++k) {
    fmt::format_to(std::back_inserter(text), "{}", time[k]);
    for (const auto& track : tracks) fmt::format_to(std::back_inserter(text), ",{},{}", track.value[k], track.std[k]);
    text += '\n';
  }
  return text;
}

Report make_report(const Arguments& arguments, const std::vector<OutputInfo>& outputs, const std::vector<Track>& tracks,
                   const Prepared& prepared, const Replay& replay) {
  constexpr double k95 = 1.959964;
  Report report;
  report.command = "estimate";
  report.title = fmt::format("Estimates: {} on {}", arguments.study, arguments.log);
  report.headline = fmt::format("{} instants, {}. Values below are those of the last instant.",
                                prepared.timeline.size(), arguments.smooth ? "smoothed: x(k|all)" : "filtered: x(k|k)");
  report.diagnostics = prepared.diagnostics;
  if (replay.mean_nis() > 1.5) {
    report.diagnostics.push_back({"filter.lag", Severity::warning,
                                  fmt::format("The innovations' normalised square is {:.1f} instead of 1: the filter "
                                              "lags, or the noise is larger than said.",
                                              replay.mean_nis())});
  }
  Section section{"Over time", "Bands are 95 %.", {}, {}};
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    const double value = tracks[i].value.back(), std = tracks[i].std.back();
    report.results.push_back({.name = outputs[i].name,
                              .value = value,
                              .std = std,
                              .ci95 = {{value - k95 * std, value + k95 * std}},
                              .unit = outputs[i].unit});
    if (arguments.paths.html.empty()) continue;
    Plot plot{.title = outputs[i].name, .x_label = "time [s]", .y_label = outputs[i].unit, .caption = {}, .series = {}};
    Series band{.kind = Series::Kind::band,
                .name = outputs[i].name + ", 95 %",
                .x = prepared.timeline.time,
                .y = {},
                .upper = {}};
    for (std::size_t k = 0; k < tracks[i].value.size(); ++k) {
      band.y.push_back(tracks[i].value[k] - k95 * tracks[i].std[k]);
      band.upper.push_back(tracks[i].value[k] + k95 * tracks[i].std[k]);
    }
    plot.series = {
        std::move(band),
        {.kind = Series::Kind::line, .name = outputs[i].name, .x = prepared.timeline.time, .y = tracks[i].value}};
    section.plots.push_back(std::move(plot));
  }
  report.sections.push_back(std::move(section));
  return report;
}

ExitCode run(const Arguments& arguments) {
  const Study study = read_study(arguments.study);
  if (study.test)
    throw Error(
        ExitCode::wrong_use,
        fmt::format("{}: a bench test ([test]) has nothing to estimate over time; use identify", arguments.study));
  if (study.channels.empty())
    throw Error(ExitCode::wrong_use,
                fmt::format("{}: [log] is missing: it says what the log's columns mean", arguments.study));
  const Log log = read_log(arguments.log, study.log_spec());
  const Prepared prepared = prepare(study, log);
  const auto& options = prepared.options;
  auto estimator =
      make_torque_estimator(study.drive, options.intensity.value_or(1.0), options.prior, options.estimated);
  if (!options.intensity) {
    estimator->set_intensity(
        choose_intensity(*estimator, prepared.timeline, intensity_guess(prepared.timeline, study.drive)).intensity);
  }
  Progress progress;
  const Replay replay = estimator->replay(
      prepared.timeline,
      {.smooth = arguments.smooth, .progress = [&](double share) { progress.show("filtering", share); }});
  const auto& tracks = arguments.smooth ? replay.smoothed : replay.filtered;
  for (const Track& track : tracks) {
    if (!std::isfinite(track.value.back()))
      throw Error(ExitCode::untrusted,
                  fmt::format("{}: the filter diverged; check the study's inertias and units", arguments.log));
  }
  write_whole(arguments.output, to_csv(prepared.timeline.time, estimator->outputs(), tracks));
  publish(make_report(arguments, estimator->outputs(), tracks, prepared, replay), arguments.paths,
          arguments.output != "-");
  return ExitCode::done;
}

}  // namespace

void add_estimate(CLI::App& app, Chosen& chosen) {
  auto arguments = std::make_shared<Arguments>();
  auto* command = app.add_subcommand("estimate", "states and unknowns over time, with std");
  command->footer("Example: tauhat estimate studies/demo/demo.toml run.csv -o estimate.csv --smooth");
  command->add_option("STUDY", arguments->study, "study file (TOML)")->required();
  command->add_option("LOG", arguments->log, "log file (CSV); - is standard input")->required();
  command->add_option("-o,--output", arguments->output, "estimates to write (CSV); - is standard output");
  command->add_flag("--smooth", arguments->smooth, "use samples before and after each instant");
  command->add_option("--json", arguments->paths.json, "results as JSON; - is standard output");
  command->add_option("--report", arguments->paths.html, "report to look at (HTML)");
  command->callback([arguments, &chosen] { chosen = [arguments] { return run(*arguments); }; });
}

}  // namespace tauhat::cli
