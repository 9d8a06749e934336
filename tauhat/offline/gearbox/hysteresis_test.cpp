#include "tauhat/offline/gearbox/hysteresis_test.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "tauhat/offline/error.hpp"
#include "tauhat/offline/gearbox/branch_fit.hpp"
#include "tauhat/offline/gearbox/hysteresis_diagnostics.hpp"
#include "tauhat/offline/gearbox/repeats.hpp"
#include "tauhat/offline/identify/prepare.hpp"
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
  bool begins_on_itself = true;  // its first branch begins where its last one ends
};

// Friction holds a gear that starts from rest somewhere inside the loop, and its first branch, with the centre line, is
// then not the loop's. Where torque had come before the record, it begins where the loop closes: to within the noise,
// or a thousandth of the width at zero torque.
bool begins_where_it_ends(const TorqueRamp& ramp, const Loop& loop, const HysteresisSpec& spec) {
  constexpr double kStandardDeviations = 3.0, kNegligible = 1e-3;
  const double reach = kWindowReach * spec.rated_torque;
  const PointEstimate begin = displacement_at(ramp, loop.loading_positive, 0.0, reach),
                      middle = displacement_at(ramp, loop.unloading_positive, 0.0, reach),
                      end = displacement_at(ramp, loop.unloading_negative, 0.0, reach);
  // A window of few samples underrates its noise. At the end of N samples a parabola has 9 / N of a sample's variance.
  const Branch& branch = loop.loading_positive;
  const double samples = reach / loop.largest_torque * static_cast<double>(branch.last - branch.first);
  const double fewest = 2.0 * std::pow(noise_from_differences(ramp.displacement), 2) * std::min(9.0 / samples, 1.0);
  const double noise = std::sqrt(std::max(begin.variance + end.variance, fewest));
  return std::abs(begin.value - end.value) <=
         std::max(kStandardDeviations * noise, kNegligible * std::abs(middle.value - end.value));
}

std::vector<FoundLoop> find_all(std::vector<HysteresisRecord>& records, const HysteresisSpec& spec) {
  std::vector<FoundLoop> found;
  for (std::size_t i = 0; i < records.size(); ++i) {
    for (const auto& part : records[i].parts) {
      for (const Loop& loop : loops_of(records[i].ramp, part.first, part.last)) {
        LoopResult result;
        result.ramp = i, result.loop = loop;
        // A part that follows another begins where that one ended.
        result.loop.from_rest = loop.from_rest && (found.empty() || found.back().result.ramp != i);
        const bool begins = !result.loop.from_rest || begins_where_it_ends(records[i].ramp, result.loop, spec);
        found.push_back({result, part.gives_widths, part.gives_slopes, begins});
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
  for (FoundLoop& each : loops)
    each.gives_widths = each.gives_widths && reaches(each.result.loop, spec.lost_motion_share() * spec.rated_torque);
  const bool others_give_widths = std::any_of(
      loops.begin(), loops.end(), [](const FoundLoop& l) { return l.gives_widths && !l.result.loop.from_rest; });
  for (FoundLoop& each : loops) {
    const TorqueRamp& ramp = records[each.result.ramp].ramp;
    measure_widths(ramp, spec, each.result);
    if (!each.gives_widths) each.result.lost_motion.reset(), each.result.hysteresis_loss.reset();
    if (!each.begins_on_itself || (each.result.loop.from_rest && others_give_widths)) each.result.lost_motion.reset();
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

// K1, K2 and K3 are between limits that only the maker knows.
bool has_sections(const HysteresisSpec& spec) {
  return spec.definition == HysteresisDefinition::harmonic_drive && spec.limit_torque[1] > 0.0;
}

// A quantity's values, loop by loop.
struct Quantity {
  const char *name, *unit;
  std::string note;
  std::function<std::optional<LoopValue>(const LoopResult&)> of;
};

std::vector<Quantity> quantities(const HysteresisSpec& spec) {
  const auto [t1, t2] = spec.limit_torque;
  std::vector<Quantity> all{
      {"backlash.lost_motion", "rad",
       fmt::format("centre line at ±{:.0f} % of the rated torque", 100.0 * spec.lost_motion_share()),
       [](const LoopResult& r) { return r.lost_motion; }},
      {"backlash.hysteresis_loss", "rad", "width at zero torque, friction included",
       [](const LoopResult& r) { return r.hysteresis_loss; }},
      {"backlash.gap", "rad", "between the loading lines: dead zone less 2 friction / stiffness",
       [](const LoopResult& r) { return r.gap; }},
      {"transmission.torsional_rigidity", "N m/rad",
       spec.definition == HysteresisDefinition::tauhat ? "of the loading lines"
       : has_sections(spec)                            ? fmt::format("K3, above T2 = {:g} N m", t2)
                                                       : "centre line, half to full rated torque",
       [](const LoopResult& r) { return r.rigidity; }},
      {"transmission.compliance", "rad/(N m)", "of the loading lines",
       [](const LoopResult& r) { return r.compliance; }}};
  if (!has_sections(spec)) return all;
  const std::array<std::string, 3> sections{fmt::format("up to T1 = {:g} N m", t1),
                                            fmt::format("T1 = {:g} N m to T2 = {:g} N m", t1, t2),
                                            fmt::format("above T2 = {:g} N m", t2)};
  const std::array<const char*, 3> names{"transmission.torsional_rigidity.k1", "transmission.torsional_rigidity.k2",
                                         "transmission.torsional_rigidity.k3"};
  for (std::size_t i = 0; i < names.size(); ++i)
    all.push_back({names[i], "N m/rad", sections[i], [i](const LoopResult& r) { return r.k[i]; }});
  return all;
}

// The quantity's values, file by file; files that have none are left out.
std::vector<std::vector<LoopValue>> values_by_file(const std::vector<LoopResult>& loops, const Quantity& quantity) {
  std::map<std::size_t, std::vector<LoopValue>> files;
  for (const LoopResult& loop : loops) {
    if (const auto v = quantity.of(loop)) files[loop.ramp].push_back(*v);
  }
  std::vector<std::vector<LoopValue>> values;
  for (auto& [file, of_file] : files) values.push_back(std::move(of_file));
  return values;
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
  return (combine_repeats(values_by_file(measure_all(scaled, loops, spec), quantity)).mean - nominal) / kScaleStep;
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

// The interval is for one more run.
Result result_of(const Quantity& quantity, const Repeats& repeats, double inputs) {
  UncertaintyBudget budget;
  budget.noise = repeats.noise, budget.inputs = inputs;
  budget.repeat = repeats.repeat, budget.repeat_freedom = repeats.freedom;
  Result result;
  result.name = quantity.name, result.unit = quantity.unit, result.note = quantity.note;
  result.value = repeats.mean;
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

void add_plain(std::string name, double value, const char* unit, const char* note, std::vector<Result>& results) {
  Result result;
  result.name = std::move(name), result.value = value, result.unit = unit, result.note = note;
  results.push_back(std::move(result));
}

void add_spreads(const Quantity& quantity, const Repeats& repeats, std::vector<Result>& results) {
  const std::string name = quantity.name;
  if (repeats.within)
    add_plain(name + ".spread_repeats", *repeats.within, quantity.unit,
              "standard deviation between the loops of a file", results);
  if (repeats.between)
    add_plain(name + ".spread_positions", *repeats.between, quantity.unit, "standard deviation between the files",
              results);
}

double loading_rate(const std::vector<LoopResult>& loops) {
  std::vector<double> rates;
  for (const LoopResult& loop : loops) rates.push_back(std::abs(loop.loading_rate));
  return median(std::move(rates));
}

}  // namespace

std::vector<std::string> hysteresis_quantities(const HysteresisSpec& spec) {
  std::vector<std::string> names;
  for (const Quantity& quantity : quantities(spec)) names.emplace_back(quantity.name);
  return names;
}

HysteresisOutcome evaluate(std::vector<HysteresisRecord>& records, const HysteresisTest& test) {
  for (HysteresisRecord& record : records) align_signs(record.ramp);
  const std::vector<FoundLoop> found = find_all(records, test.spec);
  if (found.empty())
    throw Error(ExitCode::unusable_data,
                fmt::format("{}: no loop found: the torque must be ramped up, down through zero, and back",
                            records.front().ramp.source));
  HysteresisOutcome outcome;
  outcome.loops = measure_all(records, found, test.spec);
  std::vector<Result> spreads;
  for (const Quantity& quantity : quantities(test.spec)) {
    const auto values = values_by_file(outcome.loops, quantity);
    if (values.empty()) continue;
    const Repeats repeats = combine_repeats(values);
    const double inputs = inputs_std(records, found, test, quantity, repeats.mean);
    outcome.results.push_back(result_of(quantity, repeats, inputs));
    if (outcome.results.back().name == "backlash.gap") bound_below_by_zero(outcome.results.back());
    add_spreads(quantity, repeats, spreads);
  }
  outcome.results.insert(outcome.results.end(), spreads.begin(), spreads.end());
  add_plain("test.loading_rate", loading_rate(outcome.loops), "N m/s", "median of the loops", outcome.results);
  outcome.diagnostics = diagnose_hysteresis(records, outcome.loops, test.spec);
  return outcome;
}

}  // namespace tauhat
