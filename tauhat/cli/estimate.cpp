// tauhat estimate: states and unknowns over time, with their standard deviation.
#include <fmt/format.h>

#include <cmath>

#include "tauhat/cli/commands.hpp"
#include "tauhat/cli/estimate_csv.hpp"
#include "tauhat/cli/estimate_robot.hpp"
#include "tauhat/cli/output.hpp"
#include "tauhat/cli/progress.hpp"
#include "tauhat/offline/gap/gap_report.hpp"
#include "tauhat/offline/identify/input_spread.hpp"
#include "tauhat/offline/identify/intensity.hpp"
#include "tauhat/offline/identify/online.hpp"
#include "tauhat/offline/joint/link_check.hpp"
#include "tauhat/offline/log/part.hpp"
#include "tauhat/offline/replay/lag.hpp"
#include "tauhat/offline/report/series.hpp"
#include "tauhat/offline/report/verdict.hpp"
#include "tauhat/offline/spelling.hpp"

namespace tauhat::cli {
namespace {

using Arguments = EstimateArguments;

// The filter and the log it runs over.
struct Setup {
  Timeline timeline;
  std::vector<Diagnostic> diagnostics;
  double intensity = 0.0;
  std::unique_ptr<Estimator> estimator;
  std::vector<UncertaintyBudget> budgets;  // of the last instant; empty where all that the study gives is exact
};

void set_lag(const Study& study, Setup& setup) {
  const Timeline& timeline = setup.timeline;
  const double period = lag_period(study, timeline), median = timeline.median_interval();
  const std::size_t lag = lag_in_samples(study, period);
  setup.estimator->set_lag(lag);
  if (lag_needs_period(study) && std::abs(period - median) > 0.1 * median)
    setup.diagnostics.push_back(
        {"lag.period", Severity::warning,
         fmt::format("The lag is {} samples by the first interval, {:.4g} ms, but the median interval is {:.4g} ms; "
                     "give it as a number of samples.",
                     lag, 1e3 * period, 1e3 * median)});
  if (lag >= timeline.size())
    setup.diagnostics.push_back(
        {"lag.longer_than_record", Severity::warning,
         fmt::format("{} Record more than {:.4g} s, or use --smooth.", lag_longer_than_record(timeline.size(), lag),
                     static_cast<double>(lag) * median)});
}

// A drive whose positions are not both measured has no sensor for what went wrong over a hole.
std::vector<Diagnostic> diagnose_holes(const Study& study, const Log& log) {
  if (!study.is_drive() && !study.axis) return {};
  const std::string input = input_signal(study);
  const std::vector<Hole> holes = holes_of(log, input);
  if (holes.empty()) return {};
  const bool recovers = study.axis || (study.find_channel("motor.position") && study.find_channel("load.position"));
  return {
      {"log.hole", recovers ? Severity::warning : Severity::error,
       fmt::format("{} is missing for {:.3g} ms at {:.4g} s after the start{}, and nobody knows what it was there: "
                   "estimates are "
                   "wrong {} it. Cut the log there.",
                   input, holes.front().milliseconds(), holes.front().begin - span_of(log).begin,
                   holes.size() > 1 ? fmt::format(", and in {} more", counted(holes.size() - 1, "hole", "holes")) : "",
                   recovers ? "shortly after" : "after")}};
}

Setup set_up(const Study& study, const Log& log) {
  Setup setup{{}, log.diagnostics, 0.0, {}, {}};
  for (Diagnostic& found : diagnose_holes(study, log)) setup.diagnostics.push_back(std::move(found));
  setup.timeline = online_timeline(study, log, setup.diagnostics);
  const OnlineModel model = online_model(study);
  const FirstRow first = first_row(setup.timeline);
  std::optional<double> intensity = model.intensity;
  if (!intensity) {
    const double guess = intensity_guess(setup.timeline, study.drive);
    const auto trial = make_online_estimator(study, guess, first);
    intensity = choose_intensity(*trial, setup.timeline, guess).intensity;
    const auto unknown = static_cast<std::size_t>(trial->find_output(model.unknown));
    const std::string unit = online_outputs(study, *trial)[unknown].unit;
    setup.diagnostics.push_back({"intensity.chosen", Severity::info,
                                 fmt::format("The intensity of {} is {:.6g} {}/sqrt(s) by the likelihood of the "
                                             "innovations; `stream` needs it in the study.",
                                             model.unknown, *intensity, unit)});
  }
  setup.intensity = *intensity;
  setup.estimator = make_online_estimator(study, setup.intensity, first);
  set_lag(study, setup);
  return setup;
}

Report make_report(const Study& study, const Arguments& arguments, const std::vector<OutputInfo>& outputs,
                   const std::vector<Track>& tracks, const Setup& setup, const Replay& replay) {
  Report report;
  report.command = "estimate";
  report.title = fmt::format("Estimates: {} on {}", arguments.study, arguments.log);
  report.headline = fmt::format("{} instants, {}. Values below are those of the last instant.", setup.timeline.size(),
                                arguments.smooth ? "smoothed: x(k|all)" : "filtered: x(k|k)");
  report.diagnostics = setup.diagnostics;
  const auto lag = diagnose_lag(replay.mean_nis(), "the filter lags, or the noise is larger than said");
  // An observer of a joint has tests of its own; a filter that is lost is that of all.
  const bool has_own = study.joint && (lag.empty() || lag.front().severity != Severity::error);
  for (const Diagnostic& found : has_own ? diagnose_link(check_link(study, setup.timeline, replay)) : lag)
    report.diagnostics.push_back(found);
  if (study.gate > 0.0)
    for (Diagnostic& found : diagnose_gated(replay)) report.diagnostics.push_back(std::move(found));
  Section section{"Over time", "Bands are 95 %.", {}, {}};
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    const auto& [value, std] = tracks[i];
    report.results.push_back(with_interval(outputs[i].name, value.back(), std.back(), outputs[i].unit));
    if (!setup.budgets.empty()) report.results.back().budget = setup.budgets[i];
    if (arguments.paths.html.empty()) continue;
    Plot plot{.title = outputs[i].name, .x_label = "time [s]", .y_label = outputs[i].unit, .caption = {}, .series = {}};
    plot.series = {band(outputs[i].name + ", 95 %", setup.timeline.time, value, std),
                   line(outputs[i].name, setup.timeline.time, value)};
    section.plots.push_back(std::move(plot));
  }
  report.sections.push_back(std::move(section));
  if (study.powertrain) say_mode(report.results);
  if (study.powertrain && !arguments.paths.html.empty())
    report.sections = gap_sections(setup.timeline.time, replay, setup.timeline, read_gap_truth(arguments.log, study));
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
  Setup setup = set_up(study, log);
  Estimator& estimator = *setup.estimator;
  Progress progress;
  Replay replay = estimator.replay(setup.timeline, {.smooth = arguments.smooth, .progress = [&](double share) {
                                                      progress.show("filtering", share);
                                                    }});
  for (Diagnostic& remark : estimator.remarks()) {
    if (remark.severity == Severity::error)
      throw Error(ExitCode::untrusted, fmt::format("{}: {}", arguments.log, remark.message));
    setup.diagnostics.push_back(std::move(remark));
  }
  for (const Diagnostic& problem : diagnose_steps(replay.failed, setup.timeline.size()))
    throw Error(ExitCode::untrusted, fmt::format("{}: {}", arguments.log, problem.message));
  setup.budgets = widen_by_inputs(study, setup.intensity, estimator.lag(), setup.timeline, replay);
  const auto& tracks = arguments.smooth ? replay.smoothed : replay.filtered;
  const std::vector<OutputInfo> outputs = online_outputs(study, estimator);
  write_whole(arguments.output, estimates_csv(setup.timeline.time, outputs, tracks, replay.lagged));
  const Report report = make_report(study, arguments, outputs, tracks, setup, replay);
  publish(report, arguments.paths, arguments.output != "-");
  return exit_code_of(report);
}

}  // namespace

void add_estimate(CLI::App& app, Chosen& chosen) {
  auto arguments = std::make_shared<Arguments>();
  auto* command = app.add_subcommand("estimate", "states and unknowns over time, with std");
  command->footer(
      "With [estimator] lag in the study, <output>.lagged and <output>.lagged.std use that many samples after each "
      "instant, too.\n\n"
      "Example: tauhat estimate studies/demo/demo.toml run.csv -o estimate.csv --smooth");
  command->add_option("STUDY", arguments->study, "study file (TOML)")->required();
  command->add_option("LOG", arguments->log, "log file (CSV); - is standard input")->required();
  command->add_option("-o,--output", arguments->output, "estimates to write (CSV); - is standard output");
  command->add_option("--floor", arguments->floor,
                      "log of a robot's motion without contact: what its force shows there, and the contact threshold");
  command->add_flag("--smooth", arguments->smooth, "use samples before and after each instant");
  command->add_option("--json", arguments->paths.json, "results as JSON; - is standard output");
  command->add_option("--report", arguments->paths.html, "report to look at (HTML)");
  command->callback([arguments, &chosen] { chosen = [arguments] { return run(*arguments); }; });
}

}  // namespace tauhat::cli
