#include "tauhat/cli/estimate_robot.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

#include "tauhat/cli/estimate_csv.hpp"
#include "tauhat/cli/progress.hpp"
#include "tauhat/offline/identify/intensity.hpp"
#include "tauhat/offline/identify/online.hpp"
#include "tauhat/offline/replay/lag.hpp"
#include "tauhat/offline/report/verdict.hpp"
#include "tauhat/offline/robot/force_estimator.hpp"
#include "tauhat/offline/robot/force_report.hpp"
#include "tauhat/offline/robot/robot_report.hpp"

namespace tauhat::cli {
namespace {

struct Filtered {
  ForceRun run;
  Replay replay;
  std::vector<Diagnostic> remarks;
};

Filtered filtered(const Study& study, const Log& log, std::vector<Diagnostic>& diagnostics) {
  const Timeline timeline = online_timeline(study, log, diagnostics);
  const auto estimator = make_online_estimator(study, study.robot->force.walk, first_row(timeline));
  Progress progress;
  Replay replay = estimator->replay(timeline, {.progress = [&](double share) { progress.show("filtering", share); }});
  for (const Diagnostic& problem : diagnose_steps(replay.failed, timeline.size()))
    throw Error(ExitCode::untrusted, fmt::format("{}: {}", log.source, problem.message));
  const std::vector<Diagnostic> remarks = estimator->remarks();
  for (const Diagnostic& remark : remarks)
    if (remark.severity == Severity::error)
      throw Error(ExitCode::untrusted, fmt::format("{}: {}", log.source, remark.message));
  ForceRun run{study.robot->force.kind, timeline.time, estimator->outputs(), replay.filtered};
  return {std::move(run), std::move(replay), remarks};
}

// The estimators that the study has not chosen, where they can run at all; for the report alone.
std::vector<ForceRun> others_than(const Study& study, const Log& log, const ReportPaths& paths) {
  using Kind = ForceSpec::Kind;
  std::vector<ForceRun> runs;
  if (paths.html.empty() || study.robot->force.frame.empty()) return runs;
  for (const Kind kind : {Kind::ekf, Kind::momentum_observer, Kind::disturbance_filter}) {
    if (kind == study.robot->force.kind) continue;
    Study other = study;
    other.robot->force.kind = kind;
    std::vector<Diagnostic> ignored;
    try {
      runs.push_back(filtered(other, log, ignored).run);
    } catch (const Error&) {  // irregular stamps, or a mass matrix that only the chosen one can do without
    }
  }
  return runs;
}

std::optional<FloorAnswer> floor_of(const std::string& path, Study& study) {
  if (path.empty()) return std::nullopt;
  return measure_floor(read_log(path, study.log_spec()), study);
}

// force_walk = "auto": with the residual that a log without contact shows, if there is one.
void choose_walk(const Log& log, const std::string& floor, Study& study, std::vector<Diagnostic>& diagnostics) {
  Study trial = study;
  std::vector<Diagnostic> ignored;
  floor_of(floor, trial);
  complete_noise(log, trial, ignored);
  const Timeline timeline = online_timeline(trial, log, ignored);
  ForceSpec& force = study.robot->force;
  const auto filter = make_online_estimator(trial, force.walk, first_row(timeline));
  const double walk = choose_intensity(*filter, timeline, force.walk).intensity;
  force.moment_walk *= walk / force.walk;
  force.walk = walk;
  diagnostics.push_back({"intensity.chosen", Severity::info,
                         fmt::format("force_walk is {:.4g} N/sqrt(s) by the likelihood of the innovations; `stream` "
                                     "needs it in the study.",
                                     walk)});
}

LogSpec log_spec_with_truth(const Study& study, const std::string& path) {
  LogSpec spec = study.log_spec();
  for (const ChannelSpec& channel : force_truth_channels(path, *study.robot)) spec.channels.push_back(channel);
  return spec;
}

void warn_of_errors(const Replay& replay, Report& report) {
  for (Diagnostic& lag :
       diagnose_lag(replay.mean_nis(),
                    "the force changes faster than force_walk says, acts elsewhere than at its frame, or noise and "
                    "residual are larger"))
    report.diagnostics.push_back(std::move(lag));
  for (Diagnostic& gated : diagnose_gated(replay)) report.diagnostics.push_back(std::move(gated));
}

}  // namespace

ExitCode estimate_robot(const Study& given, const EstimateArguments& arguments) {
  if (arguments.smooth)
    throw Error(ExitCode::wrong_use,
                fmt::format("{}: --smooth: the estimators of a robot's force have no smoother", arguments.study));
  Study study = force_study(given);
  const Log log = force_log(read_log(arguments.log, log_spec_with_truth(given, arguments.log)), study);
  std::vector<Diagnostic> diagnostics = log.diagnostics;
  // A step that somebody simulated is no fault of the log.
  std::erase_if(diagnostics, [](const Diagnostic& d) { return d.message.find("(truth.") != std::string::npos; });
  note_inertias(*study.robot, diagnostics);
  if (study.robot->force.walk_by_likelihood) choose_walk(log, arguments.floor, study, diagnostics);
  const std::optional<FloorAnswer> floor = floor_of(arguments.floor, study);
  if (floor) diagnostics.insert(diagnostics.end(), floor->diagnostics.begin(), floor->diagnostics.end());
  complete_noise(log, study, diagnostics);
  const Filtered result = filtered(study, log, diagnostics);
  diagnostics.insert(diagnostics.end(), result.remarks.begin(), result.remarks.end());
  write_whole(arguments.output, estimates_csv(result.run.time, result.run.outputs, result.run.tracks, {}));
  Report report = force_report(study, log, result.run, others_than(study, log, arguments.paths), floor);
  report.title = fmt::format("Force: {} on {}", arguments.study, arguments.log);
  report.diagnostics.insert(report.diagnostics.begin(), diagnostics.begin(), diagnostics.end());
  warn_of_errors(result.replay, report);
  publish(report, arguments.paths, arguments.output != "-");
  const bool never_moved = std::any_of(result.remarks.begin(), result.remarks.end(),
                                       [](const Diagnostic& remark) { return remark.name == kUnobservable; });
  return never_moved ? ExitCode::untrusted : exit_code_of(report);
}

Study streamed_robot(const Study& given, const std::string& floor) {
  if (given.robot->force.rate > 0.0)
    throw Error(ExitCode::wrong_use, fmt::format("{}: estimator.rate: a stream's rows are taken as they come, not "
                                                 "interpolated; give their period instead",
                                                 given.source));
  Study study = force_study(given);
  if (const auto measured = floor_of(floor, study)) fmt::print(stderr, "{}\n", floor_text(*measured, study));
  return study;
}

}  // namespace tauhat::cli
