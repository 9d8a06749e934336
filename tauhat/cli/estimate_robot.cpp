#include "tauhat/cli/estimate_robot.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

#include "tauhat/cli/estimate_csv.hpp"
#include "tauhat/cli/progress.hpp"
#include "tauhat/offline/report/verdict.hpp"
#include "tauhat/offline/robot/force_answer.hpp"
#include "tauhat/offline/robot/force_estimator.hpp"

namespace tauhat::cli {
namespace {

// The estimators that the study has not chosen, where they can run at all; for the report alone. They take what the
// answer has completed of the study.
std::vector<ForceRun> others_than(const ForceAnswer& answer, const ReportPaths& paths) {
  using Kind = ForceSpec::Kind;
  std::vector<ForceRun> runs;
  const Study& study = answer.study;
  if (paths.html.empty() || study.robot->force.frame.empty()) return runs;
  for (const Kind kind : {Kind::ekf, Kind::momentum_observer, Kind::disturbance_filter}) {
    if (kind == study.robot->force.kind) continue;
    Study other = study;
    other.robot->force.kind = kind;
    other.robot->force.walk_by_likelihood = false;
    try {
      ForceAnswer another = answer_force(other, answer.log, {});
      if (another.refusals.empty()) runs.push_back(std::move(another.run));
    } catch (const Error&) {  // irregular stamps, or a mass matrix that only the chosen one can do without
    }
  }
  return runs;
}

LogSpec log_spec_with_truth(const Study& study, const std::string& path) {
  LogSpec spec = study.log_spec();
  for (const ChannelSpec& channel : force_truth_channels(path, *study.robot)) spec.channels.push_back(channel);
  return spec;
}

}  // namespace

ExitCode estimate_robot(const Study& given, const EstimateArguments& arguments) {
  if (arguments.smooth)
    throw Error(ExitCode::wrong_use,
                fmt::format("{}: --smooth: the estimators of a robot's force have no smoother", arguments.study));
  const Log log = read_log(arguments.log, log_spec_with_truth(given, arguments.log));
  std::optional<Log> without_contact;
  if (!arguments.floor.empty()) without_contact = read_log(arguments.floor, force_study(given).log_spec());
  Progress progress;
  const ForceAnswer answer =
      answer_force(given, log, without_contact, [&](double share) { progress.show("filtering", share); });
  if (!answer.refusals.empty())
    throw Error(ExitCode::untrusted, fmt::format("{}: {}", log.source, answer.refusals.front().message));
  write_estimates(arguments.output, answer.run.time, answer.run.outputs, answer.run.tracks, {});
  Report report =
      force_report(answer.study, answer.log, answer.run, others_than(answer, arguments.paths), answer.floor);
  report.title = fmt::format("Force: {} on {}", arguments.study, arguments.log);
  report.diagnostics.insert(report.diagnostics.begin(), answer.diagnostics.begin(), answer.diagnostics.end());
  publish(report, arguments.paths, arguments.output != "-");
  const bool never_moved = std::any_of(answer.diagnostics.begin(), answer.diagnostics.end(),
                                       [](const Diagnostic& said) { return said.name == kUnobservable; });
  return never_moved ? ExitCode::untrusted : exit_code_of(report);
}

Study streamed_robot(const Study& given, const std::string& floor) {
  if (given.robot->force.rate > 0.0)
    throw Error(ExitCode::wrong_use, fmt::format("{}: estimator.rate: a stream's rows are taken as they come, not "
                                                 "interpolated; give their period instead",
                                                 given.source));
  Study study = force_study(given);
  if (!floor.empty()) {
    const FloorAnswer measured = measure_floor(read_log(floor, study.log_spec()), study);
    fmt::print(stderr, "{}\n", floor_text(measured, study));
  }
  return study;
}

}  // namespace tauhat::cli
