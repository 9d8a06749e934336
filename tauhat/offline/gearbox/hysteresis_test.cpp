#include "tauhat/offline/gearbox/hysteresis_test.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "tauhat/offline/error.hpp"
#include "tauhat/offline/gearbox/hysteresis_diagnostics.hpp"
#include "tauhat/offline/quantile.hpp"

namespace tauhat {
namespace {

// Torque and displacement that run against each other are one of them seen from the other side.
void align_signs(TorqueRamp& ramp) {
  const auto n = static_cast<double>(ramp.size());
  const double mean_torque = std::accumulate(ramp.torque.begin(), ramp.torque.end(), 0.0) / n;
  const double mean_twist = std::accumulate(ramp.displacement.begin(), ramp.displacement.end(), 0.0) / n;
  double product = 0.0;
  for (std::size_t k = 0; k < ramp.size(); ++k)
    product += (ramp.torque[k] - mean_torque) * (ramp.displacement[k] - mean_twist);
  if (product >= 0.0) return;
  for (double& x : ramp.displacement) x = -x;
}

std::vector<Loop> loops_of(TorqueRamp& ramp, std::size_t first, std::size_t last) {
  std::vector<Loop> loops = find_loops(ramp, first, last);
  if (!loops.empty()) return loops;
  // A single loop that begins downwards: seen from the other side, it begins upwards.
  const auto turn = [&] {
    for (std::size_t k = first; k < last; ++k)
      ramp.torque[k] = -ramp.torque[k], ramp.displacement[k] = -ramp.displacement[k];
  };
  turn();
  loops = find_loops(ramp, first, last);
  if (loops.empty()) turn();
  return loops;
}

struct FoundLoop {
  LoopResult result;
  bool gives_widths, gives_slopes;
};

std::vector<FoundLoop> find_all(std::vector<HysteresisRecord>& records) {
  std::vector<FoundLoop> found;
  for (std::size_t i = 0; i < records.size(); ++i) {
    for (const auto& part : records[i].parts) {
      for (const Loop& loop : loops_of(records[i].ramp, part.first, part.last)) {
        LoopResult result;
        result.ramp = i, result.loop = loop;
        // A part that follows another begins where that one ended.
        result.loop.from_rest = loop.from_rest && (found.empty() || found.back().result.ramp != i);
        found.push_back({result, part.gives_widths, part.gives_slopes});
      }
    }
  }
  return found;
}

// Displacements at zero torque of one file: the mean over its loops for the play, or over all where it has none.
std::array<double, 2> play_of(const std::vector<FoundLoop>& loops, std::size_t ramp) {
  const bool has_play = std::any_of(loops.begin(), loops.end(),
                                    [&](const FoundLoop& l) { return l.result.ramp == ramp && l.gives_widths; });
  std::array<double, 2> sum{};
  double count = 0.0;
  for (const FoundLoop& each : loops) {
    if (each.result.ramp != ramp || (has_play && !each.gives_widths)) continue;
    sum[0] += each.result.zero[0], sum[1] += each.result.zero[1], count += 1.0;
  }
  return {sum[0] / count, sum[1] / count};
}

bool reaches(const Loop& loop, double torque) {
  return loop.largest_torque >= kReached * torque && -loop.smallest_torque >= kReached * torque;
}

std::vector<LoopResult> measure_all(const std::vector<HysteresisRecord>& records, std::vector<FoundLoop> loops,
                                    const HysteresisSpec& spec) {
  const bool others_give_widths = std::any_of(
      loops.begin(), loops.end(), [](const FoundLoop& l) { return l.gives_widths && !l.result.loop.from_rest; });
  for (FoundLoop& each : loops) {
    const TorqueRamp& ramp = records[each.result.ramp].ramp;
    each.gives_widths = each.gives_widths && reaches(each.result.loop, spec.lost_motion_share() * spec.rated_torque);
    measure_widths(ramp, spec, each.result);
    if (!each.gives_widths) each.result.lost_motion.reset(), each.result.hysteresis_loss.reset();
    // Friction holds a gear that starts from rest somewhere inside the loop, so its centre line is not the loop's.
    if (each.result.loop.from_rest && others_give_widths) each.result.lost_motion.reset();
    const Branch& loading = each.result.loop.loading_positive;
    each.result.loading_rate = (ramp.torque[loading.last - 1] - ramp.torque[loading.first]) /
                               (ramp.time[loading.last - 1] - ramp.time[loading.first]);
  }
  std::vector<LoopResult> results;
  for (FoundLoop& each : loops) {
    if (each.gives_slopes && reaches(each.result.loop, spec.rated_torque))
      measure_slopes(records[each.result.ramp].ramp, spec, play_of(loops, each.result.ramp), each.result);
    results.push_back(each.result);
  }
  return results;
}

// A quantity's values, loop by loop.
struct Quantity {
  const char *name, *unit, *note;
  std::function<std::optional<LoopValue>(const LoopResult&)> of;
};

std::vector<Quantity> quantities(const HysteresisSpec& spec) {
  const bool three = spec.definition == HysteresisDefinition::harmonic_drive;
  std::vector<Quantity> all{
      {"backlash.lost_motion", "rad",
       three ? "centre line at ±4 % of the rated torque" : "centre line at ±3 % of the rated torque",
       [](const LoopResult& r) { return r.lost_motion; }},
      {"backlash.hysteresis_loss", "rad", "width at zero torque, friction included",
       [](const LoopResult& r) { return r.hysteresis_loss; }},
      {"backlash.gap", "rad", "between the loading lines: dead zone less 2 friction / stiffness",
       [](const LoopResult& r) { return r.gap; }},
      {"transmission.torsional_rigidity", "N m/rad",
       spec.definition == HysteresisDefinition::tauhat ? "of the loading lines"
       : three                                         ? "K3, above T2"
                                                       : "centre line, half to full rated torque",
       [](const LoopResult& r) { return r.rigidity; }},
      {"transmission.compliance", "rad/(N m)", "of the loading lines",
       [](const LoopResult& r) { return r.compliance; }}};
  if (!three) return all;
  all.push_back(
      {"transmission.torsional_rigidity.k1", "N m/rad", "up to T1", [](const LoopResult& r) { return r.k[0]; }});
  all.push_back(
      {"transmission.torsional_rigidity.k2", "N m/rad", "T1 to T2", [](const LoopResult& r) { return r.k[1]; }});
  all.push_back(
      {"transmission.torsional_rigidity.k3", "N m/rad", "above T2", [](const LoopResult& r) { return r.k[2]; }});
  return all;
}

double mean_over(const std::vector<LoopResult>& loops, const Quantity& quantity) {
  double sum = 0.0, count = 0.0;
  for (const LoopResult& loop : loops) {
    if (const auto v = quantity.of(loop)) sum += v->value, count += 1.0;
  }
  return sum / count;
}

double sample_std(const std::vector<double>& values) {
  if (values.size() < 2) return 0.0;
  const double mean = std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
  double square = 0.0;
  for (const double v : values) square += (v - mean) * (v - mean);
  return std::sqrt(square / static_cast<double>(values.size() - 1));
}

// How the result moves with a scale, per unit of relative change. The step is large beside usual uncertainties, because
// another torque is read among other noise; and upwards, because a smaller torque might not reach the rated one.
constexpr double kScaleStep = 0.05;
double sensitivity(const std::vector<HysteresisRecord>& records, const std::vector<FoundLoop>& loops,
                   const HysteresisSpec& spec, const Quantity& quantity, double torque_step, double twist_step,
                   double nominal) {
  std::vector<HysteresisRecord> scaled = records;
  for (HysteresisRecord& record : scaled) {
    for (double& tau : record.ramp.torque) tau *= 1.0 + torque_step;
    for (double& x : record.ramp.displacement) x *= 1.0 + twist_step;
  }
  return (mean_over(measure_all(scaled, loops, spec), quantity) - nominal) / kScaleStep;
}

double inputs_std(const std::vector<HysteresisRecord>& records, const std::vector<FoundLoop>& loops,
                  const HysteresisTest& test, const Quantity& quantity, double nominal) {
  const auto part = [&](double std, double torque_power, double twist_power) {
    return std > 0.0 ? std * sensitivity(records, loops, test.spec, quantity, torque_power * kScaleStep,
                                         twist_power * kScaleStep, nominal)
                     : 0.0;
  };
  return std::hypot(part(test.torque_std, 1.0, 0.0), part(test.displacement_std, 0.0, 1.0),
                    part(test.ratio_std, test.torque_by_ratio, test.displacement_by_ratio));
}

Result result_of(const Quantity& quantity, const std::vector<LoopResult>& loops, double inputs) {
  std::vector<double> values;
  double variance = 0.0;
  for (const LoopResult& loop : loops) {
    if (const auto v = quantity.of(loop)) values.push_back(v->value), variance += v->variance;
  }
  const auto n = static_cast<double>(values.size());
  const double spread = sample_std(values);
  UncertaintyBudget budget;
  budget.noise = std::sqrt(variance / n);
  budget.inputs = inputs;
  // The interval is for one more run, which differs from the mean of n by its own deviation and by the mean's:
  // s^2 (1 + 1/n), where s^2 is what the runs differ by beyond their noise.
  budget.repeat = std::sqrt(std::max(spread * spread - variance / n, 0.0) * (1.0 + 1.0 / n));
  if (values.size() > 1) budget.repeat_freedom = n - 1.0;
  Result result;
  result.name = quantity.name, result.unit = quantity.unit, result.note = quantity.note;
  result.value = std::accumulate(values.begin(), values.end(), 0.0) / n;
  result.std = budget.total();
  const double half = coverage_factor(budget.freedom()) * budget.total();
  result.ci95 = {{result.value - half, result.value + half}};
  result.budget = budget;
  return result;
}

// A preloaded gear's loading lines overlap: there is no gap, and how little there can be is all that is known.
void bound_below_by_zero(Result& gap) {
  if (gap.value >= 0.0) {
    gap.ci95->at(0) = std::max(gap.ci95->at(0), 0.0);
    return;
  }
  gap.note = fmt::format(
      "none: the loading lines (dead zone less 2 friction / stiffness) overlap by {}; the interval is an "
      "upper bound",
      spoken(-gap.value, "rad"));
  gap.value = 0.0;
  gap.ci95 = {{0.0, std::max(gap.ci95->at(1), 0.0)}};
}

void add_spreads(const std::vector<LoopResult>& loops, std::size_t files, std::vector<Result>& results) {
  const auto lost_motion_of = [&](std::size_t file) {
    std::vector<double> values;
    for (const LoopResult& loop : loops) {
      if (loop.lost_motion && (file == files || loop.ramp == file)) values.push_back(loop.lost_motion->value);
    }
    return values;
  };
  const auto add = [&](const char* name, double value, const char* unit, const char* note) {
    Result result;
    result.name = name, result.value = value, result.unit = unit, result.note = note;
    results.push_back(result);
  };
  std::vector<double> within, means;
  for (std::size_t file = 0; file < files; ++file) {
    const std::vector<double> values = lost_motion_of(file);
    if (values.empty()) continue;
    means.push_back(std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size()));
    if (values.size() > 1) within.push_back(sample_std(values));
  }
  if (!within.empty()) {
    double square = 0.0;
    for (const double s : within) square += s * s;
    add("backlash.lost_motion.spread_repeats", std::sqrt(square / static_cast<double>(within.size())), "rad",
        "standard deviation between the loops of a file");
  }
  if (means.size() > 1)
    add("backlash.lost_motion.spread_positions", sample_std(means), "rad", "standard deviation between the files");
  std::vector<double> rates;
  for (const LoopResult& loop : loops) rates.push_back(std::abs(loop.loading_rate));
  add("test.loading_rate", median(std::move(rates)), "N m/s", "median of the loops");
}

}  // namespace

std::vector<std::string> hysteresis_quantities(const HysteresisSpec& spec) {
  std::vector<std::string> names;
  for (const Quantity& quantity : quantities(spec)) names.emplace_back(quantity.name);
  return names;
}

HysteresisOutcome evaluate(std::vector<HysteresisRecord>& records, const HysteresisTest& test) {
  for (HysteresisRecord& record : records) align_signs(record.ramp);
  const std::vector<FoundLoop> found = find_all(records);
  if (found.empty())
    throw Error(ExitCode::unusable_data,
                fmt::format("{}: no loop found: the torque must be ramped up, down through zero, and back",
                            records.front().ramp.source));
  HysteresisOutcome outcome;
  outcome.loops = measure_all(records, found, test.spec);
  for (const Quantity& quantity : quantities(test.spec)) {
    const double nominal = mean_over(outcome.loops, quantity);
    if (!std::isfinite(nominal)) continue;
    outcome.results.push_back(result_of(quantity, outcome.loops, inputs_std(records, found, test, quantity, nominal)));
    if (outcome.results.back().name == "backlash.gap") bound_below_by_zero(outcome.results.back());
  }
  add_spreads(outcome.loops, records.size(), outcome.results);
  outcome.diagnostics = diagnose_hysteresis(records, outcome.loops, test.spec);
  return outcome;
}

}  // namespace tauhat
