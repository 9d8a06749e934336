#include "tauhat/offline/robot/force_answer.hpp"

#include <fmt/format.h>

#include "tauhat/offline/identify/intensity.hpp"
#include "tauhat/offline/identify/online.hpp"
#include "tauhat/offline/log/distinct_logs.hpp"
#include "tauhat/offline/replay/lag.hpp"
#include "tauhat/offline/robot/force_estimator.hpp"
#include "tauhat/offline/robot/force_log.hpp"
#include "tauhat/offline/robot/robot_report.hpp"

namespace tauhat {
namespace {

// force_walk = "auto": with the residual that a log without contact shows, if there is one.
void choose_walk(const std::optional<Log>& without_contact, ForceAnswer& answer) {
  Study trial = answer.study;
  std::vector<Diagnostic> ignored;
  if (without_contact) measure_floor(*without_contact, trial);
  // Likelihoods are those of the gains as given, and without their deviations many times as fast.
  for (StudyChannel& channel : trial.channels) channel.gain_std = 0.0;
  complete_noise(answer.log, trial, ignored);
  const Timeline timeline = online_timeline(trial, answer.log, ignored);
  ForceSpec& force = answer.study.robot->force;
  const auto filter = make_online_estimator(trial, force.walk, first_row(timeline));
  const double walk = choose_intensity(*filter, timeline, force.walk).intensity;
  force.moment_walk *= walk / force.walk;
  force.walk = walk;
  answer.diagnostics.push_back(
      {"intensity.chosen", Severity::info,
       fmt::format("force_walk is {:.4g} N/sqrt(s) by the likelihood of the innovations; `stream` "
                   "needs it in the study.",
                   walk)});
}

// Whatever happened in it is taken for what happens without contact.
void judge_floor(const Log& recorded, const Log& without_contact, std::vector<Diagnostic>& diagnostics) {
  if (!holds_samples_of(recorded, without_contact)) return;
  diagnostics.push_back(
      {"force.own_floor", Severity::warning,
       fmt::format("{} is its own log without contact (--floor): what pushed the arm in it counts as an error of the "
                   "model, so that the bands and the contact threshold hold it, too. If anything touched the arm, give "
                   "another log, of a motion without contact.",
                   recorded.source)});
}

void filter(const std::function<void(double)>& progress, ForceAnswer& answer) {
  const Study& study = answer.study;
  const Timeline timeline = online_timeline(study, answer.log, answer.diagnostics);
  const auto estimator = make_resting_estimator(study, first_row(timeline).period);
  if (study.gate > 0.0) estimator->set_gate(study.gate);
  Replay replay = estimator->replay(timeline, {.progress = progress});
  answer.refusals = diagnose_steps(replay.failed, timeline.size());
  for (Diagnostic& remark : estimator->remarks())
    (remark.severity == Severity::error ? answer.refusals : answer.diagnostics).push_back(std::move(remark));
  for (Diagnostic& lag : diagnose_lag(replay.mean_nis(), kWhyForceLags)) answer.diagnostics.push_back(std::move(lag));
  for (Diagnostic& gated : diagnose_gated(replay)) answer.diagnostics.push_back(std::move(gated));
  answer.run = {study.robot->force.kind, timeline.time, estimator->outputs(), std::move(replay.filtered), {}};
  for (int output = 0; output < static_cast<int>(answer.run.outputs.size()); ++output)
    answer.run.budgets.push_back(estimator->budget(output));
}

}  // namespace

ForceAnswer answer_force(const Study& given, const Log& recorded, const std::optional<Log>& without_contact,
                         const std::function<void(double)>& progress) {
  ForceAnswer answer{.study = force_study(given), .log = {}, .run = {}, .floor = {}, .diagnostics = {}, .refusals = {}};
  answer.log = force_log(recorded, answer.study);
  answer.diagnostics = answer.log.diagnostics;
  // A step that somebody simulated is no fault of the log.
  std::erase_if(answer.diagnostics, [](const Diagnostic& d) { return d.message.find("(truth.") != std::string::npos; });
  note_inertias(*answer.study.robot, answer.diagnostics);
  if (answer.study.robot->force.walk_by_likelihood) choose_walk(without_contact, answer);
  if (without_contact) {
    judge_floor(recorded, *without_contact, answer.diagnostics);
    answer.floor = measure_floor(*without_contact, answer.study);
    answer.diagnostics.insert(answer.diagnostics.end(), answer.floor->diagnostics.begin(),
                              answer.floor->diagnostics.end());
  }
  complete_noise(answer.log, answer.study, answer.diagnostics);
  filter(progress, answer);
  return answer;
}

}  // namespace tauhat
