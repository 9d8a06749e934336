#include "tauhat/cli/estimate_robot.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

#include "tauhat/cli/estimate_csv.hpp"
#include "tauhat/cli/progress.hpp"
#include "tauhat/offline/identify/backlash_report.hpp"
#include "tauhat/offline/log/part.hpp"
#include "tauhat/offline/report/find_result.hpp"
#include "tauhat/offline/report/sensitivity.hpp"
#include "tauhat/offline/report/verdict.hpp"
#include "tauhat/offline/robot/force_answer.hpp"
#include "tauhat/offline/robot/force_estimator.hpp"
#include "tauhat/offline/robot/force_log.hpp"

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

// The answer to a part of the log again with the walk so many times as fast, and with what the first one has completed
// of the study.
Report answer_again(const ForceAnswer& answer, const Log& part, double factor) {
  Study other = answer.study;
  ForceSpec& force = other.robot->force;
  force.walk *= factor, force.moment_walk *= factor;
  force.walk_by_likelihood = false;
  const ForceAnswer again = answer_force(other, part, {});
  return force_report(again.study, again.log, again.run, {}, {});
}

// The limits of [accept] that are about what `estimate` gives, the others being those of `identify`.
void judge_force(const ForceAnswer& answer, Report& report) {
  Study judged = answer.study;
  std::erase_if(judged.limits, [&](const Limit& limit) { return find_result(report.results, limit.name) == nullptr; });
  judge_limits(judged, report);
  if (judged.robot->force.kind == ForceSpec::Kind::momentum_observer || !(judged.robot->force.walk > 0.0)) return;
  // Results are those of the last instant: what lies far behind it says nothing of them.
  constexpr double kRemembered = 10.0;  // s
  const Span span = span_of(answer.log);
  const bool is_long = span.end - span.begin > kRemembered;
  const Log part = is_long ? part_of(answer.log, span.end - kRemembered, span.end + 1.0) : answer.log;
  show_sensitivity([&](double factor) { return answer_again(answer, part, factor); }, is_long, "the force", report);
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
  judge_force(answer, report);
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
