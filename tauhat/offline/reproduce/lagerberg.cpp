#include <algorithm>
#include <cmath>

#include "tauhat/offline/report/uncertainty.hpp"
#include "tauhat/offline/reproduce/lagerberg_filters.hpp"
#include "tauhat/offline/reproduce/plan.hpp"

namespace tauhat {
namespace {

using namespace lagerberg;
using P = Powertrain<double>;

constexpr double kFrom = 1.0, kLearnedFrom = 6.0;  // s: what comes before is not counted
constexpr double kLongestDelay = 0.25;             // s, of a contact that was missed

// Errors in mrad.
class Errors {
 public:
  void add(double error) { square_ += error * error, peak_ = std::max(peak_, std::abs(error)), count_ += 1.0; }
  double rms() const { return 1e3 * std::sqrt(square_ / count_); }
  double peak() const { return 1e3 * peak_; }

 private:
  double square_ = 0.0, peak_ = 0.0, count_ = 0.0;
};

// Landings on the other side: |delay| of the estimate's mode behind the contact, ms.
void add_delays(const std::string& name, const Run& run, const Estimates& estimates, RunFigures& figures) {
  int landings = 0;
  for (std::size_t i = 0; i + 1 < run.changes.size(); ++i) {
    const ModeChange &opening = run.changes[i], &contact = run.changes[i + 1];
    if (opening.to != GapMode::gap || opening.time < kFrom || contact.to == opening.from) continue;
    double delay = kLongestDelay;
    for (std::size_t k = 0; k < run.rows.size(); ++k) {
      if (run.rows[k].time < opening.time || estimates.mode[k] != contact.to) continue;
      delay = std::min(std::abs(run.rows[k].time - contact.time), kLongestDelay);
      break;
    }
    figures[name + ".delay." + std::to_string(landings++)] = 1e3 * delay;
  }
}

void add_errors(const std::string& name, const Run& run, const Estimates& estimates, double from, RunFigures& figures) {
  Errors displacement, gap;
  double right = 0.0, count = 0.0, switches = 0.0, real_switches = 0.0;
  for (std::size_t k = 1; k < run.rows.size(); ++k) {
    if (run.rows[k].time < from) continue;
    const PowertrainState& x = run.rows[k].state;
    displacement.add(estimates.displacement[k] - (x[P::motor_position] / P{}.ratio - x[P::load_position]));
    if (estimates.gap.empty()) continue;
    gap.add(estimates.gap[k] - x[P::gap_position]);
    right += estimates.mode[k] == run.rows[k].mode, count += 1.0;
    switches += estimates.mode[k] != estimates.mode[k - 1], real_switches += run.rows[k].mode != run.rows[k - 1].mode;
  }
  figures[name + ".displacement_rms"] = displacement.rms();
  if (estimates.gap.empty()) return;
  figures[name + ".gap_rms"] = gap.rms();
  figures[name + ".gap_peak"] = gap.peak();
  figures[name + ".mode_accuracy"] = 100.0 * right / count;
  figures["extra_switches." + name] = switches - real_switches;
  add_delays(name, run, estimates, figures);
}

RunFigures run_ideal(std::uint64_t seed) {
  const Run run = make_run(seed, seed, Teeth::ideal);
  RunFigures figures;
  add_errors("quantised", run, run_quantised(run), kFrom, figures);
  add_errors("events", run, run_events(run, Teeth::ideal), kFrom, figures);
  add_errors("cascade", run, run_switching(run, Teeth::ideal, Prefilter::events, {}), kFrom, figures);
  add_errors("cascade_slow_engine", run, run_switching(run, Teeth::ideal, Prefilter::events, kSlowEngine), kFrom,
             figures);
  add_errors("no_prefilter", run, run_switching(run, Teeth::ideal, Prefilter::none, {}), kFrom, figures);
  return figures;
}

RunFigures run_imperfect(std::uint64_t seed) {
  const Run run = make_run(seed, seed, Teeth::imperfect);
  RunFigures figures;
  add_errors("events_imperfect", run, run_events(run, Teeth::imperfect), kFrom, figures);
  add_errors("cascade_imperfect", run, run_switching(run, Teeth::imperfect, Prefilter::events, {}), kFrom, figures);
  add_errors("cascade_imperfect_slow_engine", run, run_switching(run, Teeth::imperfect, Prefilter::events, kSlowEngine),
             kFrom, figures);
  add_errors("time_varying", run, run_time_varying(run, {}), kFrom, figures);
  add_errors("direct", run, run_direct(run, {}), kFrom, figures);
  add_errors("direct_slow_engine", run, run_direct(run, {kSlowEngine}), kFrom, figures);
  add_errors("imm", run, run_imm(run, {}), kFrom, figures);
  return figures;
}

// The same wheels on another drive, whose run taught the table.
RunFigures run_table(std::uint64_t seed) {
  constexpr std::uint64_t kOtherDrive = 1'000'000;
  constexpr double kTrusted = 0.5e-3;  // rad
  const std::vector<double> table = learn_table(make_run(seed + kOtherDrive, seed, Teeth::imperfect), {});
  const Run run = make_run(seed, seed, Teeth::imperfect);
  RunFigures figures;
  add_errors("tooth_table", run, run_direct(run, {{}, kTrusted, table}), kFrom, figures);
  return figures;
}

RunFigures run_learning(std::uint64_t seed, const Engine& engine) {
  const Run run = make_run(seed, seed, Teeth::imperfect);
  const LearnedGap learned = run_unknown_gap(run, engine);
  RunFigures figures;
  add_errors("unknown_gap", run, learned.estimates, kLearnedFrom, figures);
  std::size_t last = 0;
  for (std::size_t k = 0; k < learned.size.size(); ++k) {
    if (std::abs(learned.size[k] - 2.0 * kHalfGap) > 3e-3) last = k;
  }
  const double size = learned.size.back() - 2.0 * kHalfGap, offset = learned.offset.back() - kOffset;
  figures["unknown_gap.size_error"] = 1e3 * std::abs(size);
  figures["unknown_gap.offset_error"] = 1e3 * std::abs(offset);
  figures["unknown_gap.settle_time"] = static_cast<double>(last);
  // Of the two intervals.
  figures["unknown_gap.coverage"] =
      0.5 * (std::abs(size) < k95 * learned.size_std) + 0.5 * (std::abs(offset) < k95 * learned.offset_std);
  return figures;
}

RunFigures run_bus_speeds(std::uint64_t seed) {
  const LearnedGap learned = run_bus(make_run(seed, seed, Teeth::imperfect), seed);
  const double error = std::abs(learned.size.back() - 2.0 * kHalfGap);
  return {{"bus.size_error", 1e3 * error}, {"bus.coverage", error < k95 * learned.size_std ? 1.0 : 0.0}};
}

void plan_runs(Plan& plan) {
  const int usual = plan.count(24);
  plan.add(usual, run_ideal);
  plan.add(usual, run_imperfect);
  plan.add(usual, run_table);
  plan.add(usual, [](std::uint64_t seed) { return run_learning(seed, {}); });
  plan.add(usual, [](std::uint64_t seed) { return run_learning(seed, kSlowEngine); });
  plan.add(usual, run_bus_speeds);
}

double mean_of(const Plan& plan, const std::string& name) {
  return plan.sum(name) / static_cast<double>(std::max<std::size_t>(plan.values(name).size(), 1));
}

struct FilterLimits {
  const char* name;
  double displacement_rms, gap_rms, gap_peak, mode_accuracy, delay;
};

void add_filter(const Plan& plan, const FilterLimits& limits, std::vector<Result>& results) {
  const std::string name = limits.name;
  const auto worst = [&](const char* what, double limit, const char* unit, bool at_most) {
    results.push_back(worst_of({name + what, limit, unit, at_most}, plan.values(name + what)));
  };
  worst(".displacement_rms", limits.displacement_rms, "mrad", true);
  worst(".gap_rms", limits.gap_rms, "mrad", true);
  worst(".gap_peak", limits.gap_peak, "mrad", true);
  worst(".mode_accuracy", limits.mode_accuracy, "%", false);
  if (limits.delay == 0.0) return;
  std::vector<double> delays;
  for (int i = 0;; ++i) {
    const auto values = plan.values(name + ".delay." + std::to_string(i));
    if (values.empty()) break;
    for (const SeedValue& v : values) delays.push_back(v.value);
  }
  const int landings = static_cast<int>(delays.size());
  results.push_back(
      total_of({name + ".contact_delay_p95", limits.delay, "ms"}, quantile(std::move(delays), 0.95), landings));
}

std::vector<Result> collect(const Plan& plan) {
  std::vector<Result> results;
  const auto runs = [&](const std::string& name) { return static_cast<int>(plan.values(name).size()); };
  for (const Figure& figure :
       {Figure{"quantised.displacement_rms", 6.5, "mrad"}, Figure{"events.displacement_rms", 0.06, "mrad"},
        Figure{"events_imperfect.displacement_rms", 4.0, "mrad"}})
    results.push_back(worst_of(figure, plan.values(figure.name)));
  for (const FilterLimits& limits : {FilterLimits{"cascade", 0.05, 0.02, 0.3, 99.8, 1.5},
                                     {"cascade_slow_engine", 0.05, 0.02, 0.3, 99.8, 1.5},
                                     {"cascade_imperfect", 1.8, 0.70, 6.0, 97.8, 4.0},
                                     {"cascade_imperfect_slow_engine", 1.8, 0.70, 6.0, 97.8, 4.0},
                                     {"direct", 1.6, 0.56, 5.0, 98.0, 3.5},
                                     {"direct_slow_engine", 1.6, 0.56, 5.0, 98.0, 3.5},
                                     {"tooth_table", 1.0, 0.36, 2.3, 99.2, 0.0}})
    add_filter(plan, limits, results);
  for (const Figure& figure :
       {Figure{"unknown_gap.gap_rms", 1.1, "mrad"}, Figure{"unknown_gap.size_error", 1.0, "mrad"},
        Figure{"unknown_gap.offset_error", 1.0, "mrad"}, Figure{"unknown_gap.settle_time", 3000.0, "ms"},
        Figure{"unknown_gap.mode_accuracy", 97.0, "%", false}})
    results.push_back(worst_of(figure, plan.values(figure.name)));
  for (const char* name : {"extra_switches.cascade_imperfect", "extra_switches.direct"})
    results.push_back(total_of({name, 2.0}, mean_of(plan, name), runs(name)));
  results.push_back(total_of({"ratio.direct_to_cascade", 0.9},
                             mean_of(plan, "direct.gap_rms") / mean_of(plan, "cascade_imperfect.gap_rms"),
                             runs("direct.gap_rms")));
  results.push_back(total_of({"ratio.prefilter_to_none", 0.05},
                             mean_of(plan, "cascade.gap_rms") / mean_of(plan, "no_prefilter.gap_rms"),
                             runs("cascade.gap_rms")));
  // Without a limit: filters beside the ones that matter most, and how often the intervals hold.
  for (const char* name : {"time_varying.gap_rms", "imm.gap_rms", "bus.size_error"})
    results.push_back(worst_of({name, {}, "mrad"}, plan.values(name)));
  for (const char* name : {"unknown_gap.coverage", "bus.coverage"})
    results.push_back(total_of({name, {}, "1", false}, mean_of(plan, name), runs(name)));
  return results;
}

}  // namespace

Report reproduce_lagerberg(const ReproduceOptions& options) {
  Plan plan("lagerberg", options);
  plan_runs(plan);
  plan.execute();
  Report report;
  report.command = "reproduce";
  report.title = "Lagerberg and Egardt: position in the backlash gap from encoder pulses";
  report.results = collect(plan);
  return report;
}

}  // namespace tauhat
