#include "tauhat/offline/gap/gap_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

#include "tauhat/offline/error.hpp"
#include "tauhat/offline/gap/gap_fit.hpp"
#include "tauhat/offline/gap/record_holes.hpp"
#include "tauhat/offline/gap/silent_wheels.hpp"
#include "tauhat/offline/gap/tooth_tables.hpp"
#include "tauhat/offline/identify/backlash_report.hpp"
#include "tauhat/offline/identify/online.hpp"
#include "tauhat/offline/log/csv.hpp"
#include "tauhat/offline/report/find_result.hpp"
#include "tauhat/offline/report/series.hpp"
#include "tauhat/offline/report/suspect.hpp"
#include "tauhat/offline/report/verdict.hpp"
#include "tauhat/offline/spelling.hpp"

namespace tauhat {
namespace {

using P = Powertrain<double>;

Result result_of(int output, const GapEstimate& estimate, const char* note) {
  const Signal& signal = P::kOutputs[static_cast<std::size_t>(output)];
  Result result =
      with_interval(std::string(signal.name), estimate.value, estimate.budget.total(), std::string(signal.unit));
  result.note = note;
  if (estimate.budget.inputs > 0.0) result.budget = estimate.budget;
  return result;
}

// How often the gear went from one contact to the other: without that the gap has only been seen from one side.
std::size_t traverses(const std::vector<double>& mode) {
  std::size_t count = 0;
  double last = 0.0;
  for (const double m : mode) {
    if (m != 1.0 && m != -1.0) continue;
    count += last != 0.0 && m != last;
    last = m;
  }
  return count;
}

void diagnose(const GapSpec& spec, const Replay& replay, Report& report) {
  const std::size_t crossed = traverses(replay.filtered[mode_output].value);
  if (spec.gap_std > 0.0 && crossed < 2)
    report.diagnostics.push_back(
        {"excitation.one_sided", Severity::error,
         fmt::format("The gear crossed its gap {}, so its size is what the study said. Record a motion that drives "
                     "and brakes: at least two crossings, better ten.",
                     counted(crossed, "time", "times"))});
  // 1 is expected of the innovations' normalised square. The std of teeth is mostly a guess, and to be 1.4 times off is
  // no misfit.
  constexpr double kMisfit = 2.0;
  if (replay.mean_nis() > kMisfit)
    report.diagnostics.push_back(
        {"model.misfit", Severity::warning,
         fmt::format("The pulses miss their predictions by {:.1f} times what is expected of them: teeth worse than the "
                     "std in the study, or a drive that differs from it.",
                     std::sqrt(replay.mean_nis()))});
}

// Those that are fitted with the gap need no wider interval; what the study's own value would have led to is said.
void diagnose_suspects(const GapFit& fit, const GapEstimate& gap, Report& report) {
  if (fit.suspects.empty() || std::abs(fit.suspects.front().z) <= kSuspicious) return;
  std::vector<std::string> fitted;
  for (std::size_t i = 0; i < fit.fitted.size(); ++i) {
    const auto found = std::find_if(fit.suspects.begin(), fit.suspects.end(), [&](const GapSuspect& s) {
      return s.index == fit.fitted[i].index && std::abs(s.z) > kSuspicious;
    });
    if (found == fit.suspects.end()) continue;
    fitted.push_back(
        fmt::format("{} {:.4g} {} instead of {:.4g}", found->name, fit.value(i), found->unit, found->value));
  }
  std::string message = fmt::format(
      "Noise does not explain how the pulses miss their predictions, and something else would: {}, in standard "
      "deviations of noise.",
      fmt::join(suspects_in_words(fit.suspects), ", or "));
  if (!fitted.empty()) message += fmt::format(" The gap is that of {}, which fits best.", fmt::join(fitted, " and "));
  if (gap.budget.model > 0.0)
    message +=
        fmt::format(" What is not fitted would move the gap by up to {:.2g} rad; the interval is wider by as much.",
                    gap.budget.model);
  message += " Correct it in the study. A torque rougher than [noise] says looks like a wrong inertia or ratio.";
  report.diagnostics.push_back({"model.suspect", Severity::warning, message});
}

// The filter has started, and has said nothing for all that.
void diagnose_unsaid(const GapFit& fit, Report& report) {
  const bool has_started = std::none_of(fit.remarks.begin(), fit.remarks.end(),
                                        [](const Diagnostic& d) { return d.name == "start.missing"; });
  if (!has_started || last_said(fit.replay.filtered[P::gap_output])) return;
  report.diagnostics.push_back(
      {"start.missing", Severity::error,
       "The filter said nothing in the whole record: its gains are fixed, and it is silent until it has settled, and "
       "again after each time that a wheel sends no pulse. Record for longer or turn faster, or use \"imm\" or "
       "\"direct\" as estimator.kind."});
}

// Without the other values of the drive tried, nobody knows whether noise alone explains the pulses.
void diagnose_untried(const GapFit& fit, Report& report) {
  if (!fit.suspects.empty() || !last_said(fit.replay.filtered[P::gap_output])) return;
  const bool followed = fit.scores.is_followed;
  report.diagnostics.push_back(
      {"model.untried", followed ? Severity::warning : Severity::error,
       followed ? fmt::format("After the first second there are {}, too few to say what else than noise explains them. "
                              "What is known only so well of the drive widens the interval by all that it may be "
                              "wrong. Record for longer.",
                              counted(fit.scores.pulses, "pulse", "pulses"))
                : "How the gap depends on the other values of the drive could not be followed: the interval does not "
                  "hold what they may be wrong. Check [drive] and [noise]."});
}

// The sensor whose teeth matter most at the gap. One alone: what two wheels have in common cannot be told apart.
std::optional<std::size_t> wheel_to_learn(const Study& study, const Timeline& timeline) {
  std::optional<std::size_t> found;
  double largest = 0.0;
  for (std::size_t i = 0; i < timeline.sensors.size(); ++i) {
    const Timeline::Sensor& sensor = timeline.sensors[i];
    const double side = sensor.output == P::motor_position_output ? study.powertrain->drive.ratio : 1.0;
    const double at_gap = std::sqrt(sensor.variance) / side;
    if (!study.find_channel(sensor.signal)->spec.pulses || at_gap <= largest) continue;
    largest = at_gap;
    found = i;
  }
  return found;
}

// A table is for the next log of the same wheel: none where its teeth would be others there, or were mixed up here.
void add_tooth_table(const Study& study, const Timeline& timeline, const GapFit& fit,
                     const std::function<void(double)>& progress, GapAnswer& answer) {
  const auto refuse = [&](const std::string& why) {
    answer.report.diagnostics.push_back({"teeth.not_learned", Severity::warning, why});
  };
  const auto sensor = wheel_to_learn(study, timeline);
  if (!sensor) return refuse("No position is seen by the pulses of a wheel: there are no teeth to learn.");
  const std::string& signal = timeline.sensors[*sensor].signal;
  const PulseSpec& wheel = *study.find_channel(signal)->spec.pulses;
  if (!wheel.knows_teeth())
    return refuse(fmt::format("No table of the teeth of {} is given: {}.", signal, why_teeth_are_unknown(wheel)));
  if (!keeps_its_count(fit.spec, timeline, fit.replay, *sensor))
    return refuse(
        fmt::format("No table of the teeth of {} is given: pulses were lost or came without a tooth, and those "
                    "around them were taken for other teeth. Learn from a record without such faults.",
                    signal));
  answer.tables.push_back(learn_tooth_table(fit.spec, timeline, *sensor, wheel, progress));
}

Section tooth_section(const std::vector<ToothTable>& tables) {
  Section section{"Teeth", "Where each tooth stands, from where it should; bands are 95 %.", {}, {}};
  for (const ToothTable& table : tables) {
    Plot plot{.title = table.signal, .x_label = "tooth", .y_label = "mrad"};
    std::vector<double> tooth(table.error.size());
    std::iota(tooth.begin(), tooth.end(), 0.0);
    constexpr double kMilli = 1e3;
    plot.series = {band("95 %", tooth, table.error, table.std, kMilli),
                   line("error", tooth, scaled(table.error, kMilli))};
    section.plots.push_back(std::move(plot));
  }
  return section;
}

}  // namespace

const char* mode_in_words(double mode) {
  if (std::isnan(mode)) return "unknown";
  return mode > 0.0 ? "contact above" : mode < 0.0 ? "contact below" : "gap";
}

void say_mode(std::vector<Result>& results) {
  const auto without_interval = [&](GapOutput output) {
    Result* const found = find_result(results, kGapSignals[output].name);
    if (found) found->std.reset(), found->ci95.reset(), found->budget.reset();
    return found;
  };
  Result *const mode = without_interval(mode_output), *const probability = without_interval(mode_probability_output);
  if (!mode) return;
  mode->note = mode_in_words(mode->value);
  if (probability && std::isfinite(mode->value))
    mode->note += fmt::format(", with a probability of {:.4g} %", 100.0 * probability->value);
}

std::optional<GapTruth> read_gap_truth(const std::string& path, const Study& study) {
  if (path == "-" || !path.ends_with(".csv") || study.time.column.empty()) return std::nullopt;
  const auto columns = list_csv(path);
  const auto has = [&](const std::string& name) {
    return std::any_of(columns.begin(), columns.end(), [&](const ColumnInfo& c) { return c.name == name; });
  };
  const std::string position = fmt::format("truth.{}", kGapSignals[P::gap_position_output].name);
  const std::string mode = fmt::format("truth.{}", kGapSignals[mode_output].name);
  if (!has(position) || !has(mode)) return std::nullopt;
  const auto table = read_csv(path, {study.time.column, position, mode});
  GapTruth truth;
  for (std::size_t row = 0; row < table.rows(); ++row) {
    if (!std::isfinite(table.columns[1].values[row])) continue;  // a pulse
    truth.time.push_back(study.time.scale * table.columns[0].values[row]);
    truth.position.push_back(table.columns[1].values[row]);
    truth.mode.push_back(table.columns[2].values[row]);
  }
  return truth;
}

GapAnswer answer_gap(const Study& study, const Log& log, const std::optional<GapTruth>& truth, bool learn_teeth,
                     const std::function<void(const std::string&, double)>& progress) {
  const GapSpec& spec = *study.powertrain;
  if (spec.tells_positions_only())
    throw Error(ExitCode::wrong_use,
                fmt::format("{}: estimator.kind: this filter tells positions and the displacement, not the gap; use "
                            "\"imm\" or \"direct\"",
                            study.source));
  GapAnswer answer;
  Report& report = answer.report;
  report.command = "identify";
  report.title = fmt::format("Backlash: {} on {}", study.source, log.source);
  report.diagnostics = log.diagnostics;
  const Timeline whole = online_timeline(study, log, report.diagnostics);
  const std::vector<Silence> silences = find_silences(spec, whole);
  const Timeline timeline = longest_between_holes(before_lasting_silence(whole, silences), spec, report.diagnostics);
  for (Diagnostic& each : diagnose_silences(silences, whole)) report.diagnostics.push_back(std::move(each));
  const GapFit fit = fit_gap(study, timeline, [&](double share) {
    if (progress) progress("filtering", share);
  });
  const Replay& replay = fit.replay;
  const GapEstimate gap_found = gap_of(fit);
  for (const auto& more : {fit.remarks, diagnose_steps(replay.failed, timeline.size())})
    report.diagnostics.insert(report.diagnostics.end(), more.begin(), more.end());
  diagnose(spec, replay, report);
  diagnose_unsaid(fit, report);
  diagnose_suspects(fit, gap_found, report);
  diagnose_untried(fit, report);
  report.results.push_back(result_of(P::gap_output, gap_found, "total, at the load side"));
  report.results.push_back(result_of(P::offset_output, offset_of(fit), "of the counters, in the middle of the gap"));
  compare_with_prior(report.results[0], spec.gap_std);
  if (spec.offset_is_known) compare_with_prior(report.results[1], spec.offset_std);
  // What the study gives as known is no finding: without an interval there is no verdict on it.
  if (!(spec.gap_std > 0.0)) report.results[0].std.reset(), report.results[0].ci95.reset();
  if (spec.gain_std > 0.0) {
    const Track& gain = replay.filtered[P::gain_output];
    const std::size_t last = last_said(gain).value_or(gain.value.size() - 1);
    report.results.push_back(
        result_of(P::gain_output, {gain.value[last], {.noise = gain.std[last]}}, "torque per command"));
    compare_with_prior(report.results.back(), spec.gain_std);
  }
  if (learn_teeth) {
    const auto show = [&](double share) {
      if (progress) progress("learning the teeth", share);
    };
    add_tooth_table(study, timeline, fit, show, answer);
  }
  const bool trusted = is_trusted(report.diagnostics);
  const Result& gap = report.results.front();
  const std::string crossed = counted(traverses(replay.filtered[mode_output].value), "time", "times");
  if (!trusted)
    report.headline =
        "This log does not give an answer that can be trusted. The diagnostics say why, and what to record.";
  else if (!(spec.gap_std > 0.0))
    report.headline = fmt::format(
        "The gap of {:.4g} rad ({}) is the study's own, which gives it no std and so leaves "
        "nothing to learn; the gear crossed it {}.",
        spec.gap, spoken(spec.gap, "rad"), crossed);
  else
    report.headline = fmt::format("The gap is {:.4g} ± {:.2g} rad ({}); the gear crossed it {}.", gap.value,
                                  k95 * *gap.std, spoken(gap.value, "rad"), crossed);
  judge_limits(study, report);
  // What was never said is no result; the diagnostics say why.
  std::erase_if(report.results, [](const Result& result) { return std::isnan(result.value); });
  report.sections = gap_sections(timeline.time, replay, timeline, truth);
  if (!answer.tables.empty()) report.sections.push_back(tooth_section(answer.tables));
  report.assumptions = study.assumptions;
  for (std::size_t i = 0; i < fit.fitted.size(); ++i) {
    const auto named = std::find_if(fit.suspects.begin(), fit.suspects.end(),
                                    [&](const GapSuspect& s) { return s.index == fit.fitted[i].index; });
    if (named != fit.suspects.end())
      report.assumptions.push_back(
          {named->name + ", fitted with the gap", fmt::format("{:.4g} {}", fit.value(i), named->unit)});
  }
  for (const auto& sensor : timeline.sensors)
    report.assumptions.push_back({sensor.signal + ", std", fmt::format("{:.4g} rad", std::sqrt(sensor.variance))});
  return answer;
}

}  // namespace tauhat
