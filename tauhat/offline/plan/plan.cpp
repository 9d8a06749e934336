#include "tauhat/offline/plan/plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tauhat/offline/error.hpp"
#include "tauhat/offline/parallel.hpp"
#include "tauhat/offline/report/uncertainty.hpp"

namespace tauhat {
namespace {

double largest(const std::vector<double>& values) {
  double peak = 0.0;
  for (const double value : values) peak = std::max(peak, std::abs(value));
  return peak;
}

double range_of(const std::vector<double>& values) {
  const auto [least, most] = std::minmax_element(values.begin(), values.end());
  return *most - *least;
}

struct Played {
  PlannedRecord record;
  std::vector<double> input;
  SimulatedStudy data;
};

class Search {
 public:
  Search(const PlanSpec& spec, const PlanTrials& trials, std::uint64_t seed)
      : spec_(spec), trials_(trials), seed_(seed) {}

  PlannedRecord tried(const CandidateInput& candidate) const {
    const Played played = loudest(candidate);
    return played.record.reason.empty() ? identified(played.record, played.data) : played.record;
  }

  // A record that tells nothing may be refused: then that is why it is not taken.
  PlannedRecord identified(PlannedRecord record, const SimulatedStudy& data) const {
    try {
      return judged(record, trials_.identify(data));
    } catch (const Error& error) {
      record.reason = error.what();
      return record;
    }
  }

  // As loud as the limits allow. Friction makes the motion no multiple of the input: the loudness is sought.
  Played loudest(const CandidateInput& candidate) const {
    constexpr double kLeast = 0.01, kNear = 1.05;
    if (candidate.kind == CandidateInput::Kind::own) return as_it_is(candidate);
    const std::vector<double> shape = input_of(candidate, trials_.given, trials_.rows, seed_);
    const auto at = [&](double loudness) { return play(candidate, about_hold(candidate, shape, loudness), loudness); };
    double force = kLeast * spec_.force, too_loud = spec_.force;
    Played played = at(force);
    if (!is_within(played.record)) {
      played.record.reason =
          fmt::format("at {:.0f} % of the input it {}; allow more speed and travel", 100.0 * kLeast,
                      played.record.goes_on ? "is too fast or goes too far" : "turns back, and friction with it");
      return played;
    }
    if (Played loud = at(spec_.force); is_within(loud.record)) return loud;
    while (too_loud > kNear * force) {
      const double between = std::sqrt(force * too_loud);
      Played louder = at(between);
      if (!is_within(louder.record)) {
        too_loud = between;
      } else {
        force = between;
        played = std::move(louder);
      }
    }
    return played;
  }

  PlannedRecord judged(PlannedRecord record, const Report& report) const {
    for (const Diagnostic& diagnostic : report.diagnostics) {
      if (diagnostic.severity != Severity::error) continue;
      record.reason = diagnostic.message;
      return record;
    }
    for (const Result& result : report.results)
      if (result.name == spec_.quantity && result.std && std::isfinite(*result.std)) record.found = result;
    if (!record.found) record.reason = not_among(report);
    return record;
  }

 private:
  Played as_it_is(const CandidateInput& candidate) const {
    const auto own = std::find_if(trials_.own.begin(), trials_.own.end(),
                                  [&](const PlanTrials::Own& each) { return each.speeds == candidate.number; });
    Played played = play(candidate, own->input, spec_.force);
    if (!is_within(played.record)) played.record.reason = "it is too fast or goes too far";
    return played;
  }

  Played play(const CandidateInput& candidate, std::vector<double> input, double force) const {
    Played played;
    played.record.candidate = candidate, played.record.force = force, played.input = std::move(input);
    played.data = trials_.record(played.input, seed_);
    played.record.force = largest(played.input);
    played.record.speed = largest(played.data.data.truth[trials_.speed]);
    played.record.travel = range_of(played.data.data.truth[trials_.travel]);
    if (trials_.goes_on && candidate.kind != CandidateInput::Kind::given)
      played.record.goes_on = trials_.goes_on(played.data.data.truth[trials_.speed]);
    return played;
  }

  // The whole stays within the range of the input: what holds the motion takes its part of it.
  std::vector<double> about_hold(const CandidateInput& candidate, std::vector<double> shape, double force) const {
    const bool has_own = candidate.kind == CandidateInput::Kind::given || trials_.hold.empty();
    const double swing = force * (has_own ? 1.0 : 1.0 - largest(trials_.hold) / spec_.force);
    for (std::size_t k = 0; k < shape.size(); ++k) shape[k] = (has_own ? 0.0 : trials_.hold[k]) + swing * shape[k];
    return shape;
  }

  bool is_within(const PlannedRecord& record) const {
    return record.speed <= spec_.speed && record.travel <= spec_.travel && record.goes_on;
  }

  std::string not_among(const Report& report) const {
    std::vector<std::string> names;
    for (const Result& result : report.results)
      if (result.std) names.push_back(result.name);
    return fmt::format("identify gives no {} with an interval, but {}", spec_.quantity,
                       names.empty() ? "nothing" : fmt::format("{}", fmt::join(names, ", ")));
  }

  const PlanSpec& spec_;
  const PlanTrials& trials_;
  std::uint64_t seed_;
};

std::vector<CandidateInput> candidates_of(const PlanTrials& trials) {
  if (trials.own.empty()) return candidate_inputs(trials.rows, trials.spacing);
  std::vector<CandidateInput> candidates{{}};
  for (const PlanTrials::Own& own : trials.own)
    candidates.push_back({.kind = CandidateInput::Kind::own, .number = own.speeds});
  return candidates;
}

void sort_by_width(std::vector<PlannedRecord>& tried) {
  const auto width_of = [](const PlannedRecord& record) { return record.found ? *record.found->std : PlanSpec::kFree; };
  std::stable_sort(tried.begin(), tried.end(),
                   [&](const PlannedRecord& a, const PlannedRecord& b) { return width_of(a) < width_of(b); });
}

// What is in the way of those that were designed, rather than of the study's own.
const std::string& why_none(const std::vector<PlannedRecord>& tried) {
  const auto designed = std::find_if(tried.begin(), tried.end(), [](const PlannedRecord& record) {
    return record.candidate.kind != CandidateInput::Kind::given;
  });
  return designed == tried.end() ? tried.front().reason : designed->reason;
}

// The mean of some records' variances, of noise that the choice has not seen.
Result predicted(const std::string& quantity, const PlanTrials& trials, const Search& search, const Played& chosen,
                 std::uint64_t seed) {
  constexpr std::size_t kRecords = 4;
  std::vector<PlannedRecord> records(kRecords);
  for_each_in_parallel(kRecords, [&](std::size_t i) {
    records[i] = search.identified(chosen.record, trials.record(chosen.input, seed + 1 + i));
  });
  Result result;
  double variance = 0.0, value = 0.0;
  UncertaintyBudget squares;
  for (const PlannedRecord& record : records) {
    if (!record.found)
      throw Error(ExitCode::untrusted,
                  fmt::format("with other noise the best record does not tell {}: {}", quantity, record.reason));
    result = *record.found;
    variance += *result.std * *result.std / static_cast<double>(kRecords);
    value += result.value / static_cast<double>(kRecords);
    if (const auto& budget = result.budget) {
      squares.noise += budget->noise * budget->noise / kRecords,
          squares.inputs += budget->inputs * budget->inputs / kRecords;
      squares.model += budget->model * budget->model / kRecords;
    }
  }
  const double std = std::sqrt(variance);
  result.value = value, result.std = std, result.ci95 = {{value - k95 * std, value + k95 * std}};
  if (result.budget)
    result.budget = UncertaintyBudget{
        .noise = std::sqrt(squares.noise), .inputs = std::sqrt(squares.inputs), .model = std::sqrt(squares.model)};
  result.note = "predicted, of one record";
  return result;
}

}  // namespace

Plan make_plan(const PlanSpec& spec, const PlanTrials& trials, std::uint64_t seed,
               const std::function<void(double)>& progress) {
  if (const double hold = largest(trials.hold); !(hold < spec.force))
    throw Error(
        ExitCode::wrong_use,
        fmt::format("plan.torque = {:.4g} N m: the motion that is to be excited takes {:.4g} N m to go on, which "
                    "leaves nothing to excite it with",
                    spec.force, hold));
  const Search search(spec, trials, seed);
  Plan plan;
  const auto try_all = [&](const std::vector<CandidateInput>& candidates, double from, double to) {
    std::vector<PlannedRecord> records(candidates.size());
    for_each_in_parallel(
        candidates.size(), [&](std::size_t i) { records[i] = search.tried(candidates[i]); },
        [&](double share) {
          if (progress) progress(from + (to - from) * share);
        });
    plan.tried.insert(plan.tried.end(), records.begin(), records.end());
    sort_by_width(plan.tried);
  };
  try_all(candidates_of(trials), 0.0, 0.7);
  for (const double factor : {1.6, 1.25}) {
    if (!plan.tried.front().found) break;
    const double from = factor > 1.5 ? 0.7 : 0.8;
    try_all(nearby(plan.tried.front().candidate, trials.rows, factor), from, from + 0.1);
  }
  if (!plan.tried.front().found)
    throw Error(ExitCode::untrusted, fmt::format("no candidate tells {}: {}", spec.quantity, why_none(plan.tried)));
  Played chosen = search.loudest(plan.tried.front().candidate);
  plan.chosen = chosen.record;
  plan.chosen.found = predicted(spec.quantity, trials, search, chosen, seed);
  plan.input = std::move(chosen.input);
  plan.motion = std::move(chosen.data.data);
  if (progress) progress(1.0);
  return plan;
}

}  // namespace tauhat
