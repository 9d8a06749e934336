#include "tauhat/offline/report/verdict.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tauhat/offline/report/digits.hpp"
#include "tauhat/offline/report/limit.hpp"

namespace tauhat {

namespace {

// What would make an interval narrower.
const char* remedy(const Result& result) {
  if (!result.budget) return "record longer or with more torque to narrow it";
  const UncertaintyBudget& b = *result.budget;
  if (b.model >= std::max({b.noise, b.inputs, b.repeat}))
    return "another model explains the log better; see the diagnostics";
  if (b.repeat >= b.noise && b.repeat >= b.inputs) return "the runs differ by more than their noise; find out why";
  return b.inputs >= b.noise ? "give the study's values more exactly to narrow it"
                             : "record longer or with a better sensor to narrow it";
}

// "2.99 arcmin; the 95 % interval [2.92, 3.06] arcmin"
std::string in_unit_of(const std::string& limit, const Result& result) {
  const ShownUnit unit = unit_of_limit(limit, result.unit);
  const Rounded number = rounded(result, unit.factor);
  const std::string power = number.exponent == 0 ? "" : fmt::format("e{}", number.exponent);
  const std::string name = unit.name.empty() ? "" : " " + unit.name;
  const auto shown = [&](const std::string& digits) { return (digits.empty() ? number.value : digits) + power; };
  return fmt::format("{}{}; the 95 % interval [{}, {}]{}", shown(number.value), name, shown(number.lower),
                     shown(number.upper), name);
}

}  // namespace

Verdict judge(const Result& result, double limit, bool at_most, const std::string& limit_text, bool trusted) {
  Verdict verdict{result.name, Conformity::inconclusive, limit_text, {}};
  if (!trusted) {
    verdict.reason = "the estimate cannot be trusted; see the diagnostics";
    return verdict;
  }
  if (!result.ci95 || std::isnan((*result.ci95)[0]) || std::isnan((*result.ci95)[1])) {
    verdict.reason = "there is no interval";
    return verdict;
  }
  const auto [low, high] = *result.ci95;
  const bool inside = at_most ? high <= limit : low >= limit;
  const bool outside = at_most ? low > limit : high < limit;
  verdict.verdict = inside ? Conformity::conforming : outside ? Conformity::nonconforming : Conformity::inconclusive;
  const std::string interval = in_unit_of(limit_text, result);
  verdict.reason = inside    ? interval + " lies within the limit"
                   : outside ? interval + " lies outside the limit"
                             : interval + " has the limit inside it: " + remedy(result);
  return verdict;
}

bool is_trusted(const std::vector<Diagnostic>& diagnostics) {
  return std::none_of(diagnostics.begin(), diagnostics.end(),
                      [](const Diagnostic& d) { return d.severity == Severity::error; });
}

ExitCode exit_code_of(const Report& report) {
  if (!is_trusted(report.diagnostics)) return ExitCode::untrusted;
  const auto any = [&](Conformity which) {
    return std::any_of(report.verdicts.begin(), report.verdicts.end(),
                       [&](const Verdict& v) { return v.verdict == which; });
  };
  if (any(Conformity::nonconforming)) return ExitCode::nonconforming;
  if (any(Conformity::inconclusive)) return ExitCode::inconclusive;
  const bool missed = std::any_of(report.results.begin(), report.results.end(),
                                  [](const Result& r) { return r.reproduction && !r.reproduction->passed; });
  return missed ? ExitCode::nonconforming : ExitCode::done;
}

}  // namespace tauhat
