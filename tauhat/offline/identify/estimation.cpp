#include "tauhat/offline/identify/estimation.hpp"

#include <fmt/format.h>

#include <cmath>

#include "tauhat/offline/gap/gap_check.hpp"
#include "tauhat/offline/identify/input_spread.hpp"
#include "tauhat/offline/identify/intensity.hpp"
#include "tauhat/offline/joint/link_check.hpp"
#include "tauhat/offline/log/part.hpp"
#include "tauhat/offline/replay/lag.hpp"
#include "tauhat/offline/spelling.hpp"

namespace tauhat {
namespace {

void set_lag(const Study& study, Estimation& estimation) {
  const Timeline& timeline = estimation.timeline;
  const double period = lag_period(study, timeline), median = timeline.median_interval();
  const std::size_t lag = lag_in_samples(study, period);
  estimation.estimator->set_lag(lag);
  if (lag_needs_period(study) && std::abs(period - median) > 0.1 * median)
    estimation.diagnostics.push_back(
        {"lag.period", Severity::warning,
         fmt::format("The lag is {} samples by the first interval, {:.4g} ms, but the median interval is {:.4g} ms; "
                     "give it as a number of samples.",
                     lag, 1e3 * period, 1e3 * median)});
  if (lag >= timeline.size())
    estimation.diagnostics.push_back(
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

// By the likelihood of the innovations.
double chosen_intensity(const Study& study, const OnlineModel& model, const FirstRow& first, Estimation& estimation) {
  const double guess = intensity_guess(estimation.timeline, study.drive);
  const auto trial = make_online_estimator(study, guess, first);
  const double intensity = choose_intensity(*trial, estimation.timeline, guess).intensity;
  const auto unknown = static_cast<std::size_t>(trial->find_output(model.unknown));
  const std::string unit = online_outputs(study, *trial)[unknown].unit;
  estimation.diagnostics.push_back({"intensity.chosen", Severity::info,
                                    fmt::format("The intensity of {} is {:.6g} {}/sqrt(s) by the likelihood of the "
                                                "innovations; `stream` needs it in the study.",
                                                model.unknown, intensity, unit)});
  return intensity;
}

// The filter and the log it runs over.
Estimation set_up(const Study& study, const Log& log) {
  Estimation estimation;
  estimation.diagnostics = log.diagnostics;
  for (Diagnostic& found : diagnose_holes(study, log)) estimation.diagnostics.push_back(std::move(found));
  estimation.timeline = online_timeline(study, log, estimation.diagnostics);
  const OnlineModel model = online_model(study);
  const FirstRow first = first_row(estimation.timeline);
  estimation.intensity = model.intensity ? *model.intensity : chosen_intensity(study, model, first, estimation);
  estimation.estimator = make_online_estimator(study, estimation.intensity, first);
  set_lag(study, estimation);
  return estimation;
}

void judge_innovations(const Study& study, Estimation& estimation) {
  const Replay& replay = estimation.replay;
  const auto lag = diagnose_lag(replay.mean_nis(), kWhyLags);
  // An observer of a joint has tests of its own; a filter that is lost is that of all.
  const bool has_own = study.joint && (lag.empty() || lag.front().severity != Severity::error);
  for (const Diagnostic& found : has_own ? diagnose_link(check_link(study, estimation.timeline, replay)) : lag)
    estimation.diagnostics.push_back(found);
  if (study.powertrain)
    for (Diagnostic& found : check_gap(study, estimation.timeline, replay))
      estimation.diagnostics.push_back(std::move(found));
  if (study.gate > 0.0)
    for (Diagnostic& found : diagnose_gated(replay)) estimation.diagnostics.push_back(std::move(found));
}

}  // namespace

Estimation estimate(const Study& study, const Log& log, bool smooth, const std::function<void(double)>& progress) {
  Estimation estimation = set_up(study, log);
  estimation.replay = estimation.estimator->replay(estimation.timeline, {.smooth = smooth, .progress = progress});
  for (Diagnostic& remark : estimation.estimator->remarks())
    (remark.severity == Severity::error ? estimation.refusals : estimation.diagnostics).push_back(std::move(remark));
  for (Diagnostic& problem : diagnose_steps(estimation.replay.failed, estimation.timeline.size()))
    estimation.refusals.push_back(std::move(problem));
  if (!estimation.refusals.empty()) return estimation;
  judge_innovations(study, estimation);
  estimation.budgets =
      widen_by_inputs(study, estimation.intensity, estimation.estimator->lag(), estimation.timeline, estimation.replay);
  return estimation;
}

}  // namespace tauhat
