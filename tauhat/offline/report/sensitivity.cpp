#include "tauhat/offline/report/sensitivity.hpp"

#include <fmt/format.h>

#include <cmath>

#include "tauhat/offline/error.hpp"
#include "tauhat/offline/parallel.hpp"
#include "tauhat/offline/report/find_result.hpp"
#include "tauhat/offline/report/limit.hpp"
#include "tauhat/offline/report/verdict.hpp"

namespace tauhat {
namespace {

// The result as another walk would have it: value and interval are moved alike.
Result moved(Result result, double by) {
  result.value += by;
  if (result.ci95) result.ci95 = {{result.ci95->at(0) + by, result.ci95->at(1) + by}};
  return result;
}

Table table_of(const Report& report) {
  Table table{"", {"quantity", "0.3 times", "as it is", "3 times", "95 %"}, {}};
  for (const Result& result : report.results) {
    if (!result.at_other_intensities) continue;
    const auto shown = [&](double value) { return fmt::format("{:.5g}", value); };
    table.rows.push_back({result.unit == "1" ? result.name : fmt::format("{} [{}]", result.name, result.unit),
                          shown(result.at_other_intensities->at(0)), shown(result.value),
                          shown(result.at_other_intensities->at(1)),
                          result.std ? fmt::format("± {:.2g}", k95 * *result.std) : ""});
  }
  return table;
}

// "0.3 times" where only that walk changes the verdict.
void take_back_what_flips(Report& report) {
  for (Verdict& verdict : report.verdicts) {
    const Result* result = find_result(report.results, verdict.name);
    if (verdict.verdict == Conformity::inconclusive || !result || !result->at_other_intensities) continue;
    const auto limit = parse_limit(verdict.limit);
    if (!limit) continue;
    for (std::size_t i = 0; i < kOtherIntensities.size(); ++i) {
      const Result other = moved(*result, result->at_other_intensities->at(i) - result->value);
      const Verdict again = judge(other, limit->value, limit->at_most, verdict.limit, true);
      if (again.verdict == verdict.verdict) continue;
      verdict.reason = fmt::format(
          "{} as it is, and {} with the random walk {:g} times as fast, which may be as true; record so that it "
          "matters "
          "less: with less noise or more torque",
          name_of(verdict.verdict), name_of(again.verdict), kOtherIntensities[i]);
      verdict.verdict = Conformity::inconclusive;
      break;
    }
  }
}

}  // namespace

void show_sensitivity(const std::function<Report(double factor)>& answer, bool of_a_part, const std::string& walk,
                      Report& report) {
  if (!is_trusted(report.diagnostics)) return;
  // At the other intensities; then at its own, which is the report's unless only a part is answered again.
  std::array<Report, 3> others;
  others[2].results = report.results;
  try {
    for_each_in_parallel(of_a_part ? 3 : 2,
                         [&](std::size_t i) { others[i] = answer(i < 2 ? kOtherIntensities[i] : 1.0); });
  } catch (const Error&) {  // a part of the log in which nothing happens; the answer to all of it stands
    return;
  }
  // A part that says too little by itself says nothing of the whole.
  if (of_a_part && !is_trusted(others[2].diagnostics)) return;
  for (Result& result : report.results) {
    const Result* own = find_result(others[2].results, result.name);
    const Result *slower = find_result(others[0].results, result.name),
                 *faster = find_result(others[1].results, result.name);
    if (!result.std || !own || !slower || !faster) continue;
    result.at_other_intensities = {
        {result.value + slower->value - own->value, result.value + faster->value - own->value}};
  }
  take_back_what_flips(report);
  Table table = table_of(report);
  if (table.rows.empty()) return;
  report.sections.push_back(
      {"What the random walk decides",
       fmt::format("The answer with the walk of {} 0.3 and 3 times as fast as it was taken. Where "
                   "it moves by more than its interval, trust the interval less.",
                   walk),
       {},
       {std::move(table)}});
}

}  // namespace tauhat
