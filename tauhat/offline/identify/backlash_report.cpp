#include "tauhat/offline/identify/backlash_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tauhat/offline/error.hpp"
#include "tauhat/offline/report/series.hpp"
#include "tauhat/offline/report/verdict.hpp"
#include "tauhat/offline/spelling.hpp"
#include "tauhat/offline/units.hpp"

namespace tauhat {
namespace {

// Noise is what is left where the study's uncertain inputs are held at their values; they make up the rest. What the
// log itself says of such an input counts as the input's, too.
UncertaintyBudget budget_of(const BacklashFit& fit, const std::vector<std::string>& parameters, double std) {
  double noise = 0.0;
  for (const std::string& name : parameters) {
    const auto& all = fit.shooting_problem->parameters;
    const auto at = std::find_if(all.begin(), all.end(), [&](const ShootingParameter& p) { return p.name == name; });
    const auto i = static_cast<Eigen::Index>(at - all.begin());
    noise += fit.shooting->noise_covariance(i, i);
  }
  const auto count = static_cast<double>(parameters.size());
  UncertaintyBudget budget;
  budget.noise = std::min(std::sqrt(std::max(noise, 0.0)) / count, std);
  budget.inputs = std::sqrt(std * std - budget.noise * budget.noise);
  return budget;
}

// "<= 6 kg" is no limit of an angle. A plain number is in the result's own unit.
void require_unit_of(const Result& result, const Limit& limit, const std::string& source) {
  const auto quantity = parse_quantity(limit.text.substr(2));
  const auto unit = parse_unit(result.unit == "1" ? "" : result.unit);
  if (!quantity || !quantity->unit || !unit || quantity->unit->dimension == unit->dimension) return;
  throw Error(ExitCode::wrong_use, fmt::format("{}: accept.\"{}\" = \"{}\": must be in {} or a unit of the same kind",
                                               source, limit.name, limit.text, result.unit));
}

}  // namespace

void judge_limits(const Study& study, Report& report, std::vector<std::string> possible) {
  for (const OutputInfo& result : possible_results(study)) possible.push_back(result.name);
  const auto result_called = [&](const std::string& name) {
    return std::find_if(report.results.begin(), report.results.end(), [&](const Result& r) { return r.name == name; });
  };
  for (const Limit& limit : study.limits) {
    auto found = result_called(limit.name);
    // Where both flanks are alike, the stiffness of either is that of both.
    if (found == report.results.end() && limit.name.starts_with("transmission.stiffness."))
      found = result_called("transmission.stiffness");
    if (found == report.results.end() && std::find(possible.begin(), possible.end(), limit.name) != possible.end()) {
      report.verdicts.push_back(
          {limit.name, Conformity::inconclusive, limit.text, "this record does not give it; the diagnostics say why"});
      continue;
    }
    if (found == report.results.end()) {
      std::vector<std::string> names = possible;
      for (const Result& r : report.results) names.push_back(r.name);
      const std::string nearest = nearest_name(limit.name, names);
      throw Error(ExitCode::wrong_use,
                  fmt::format("{}: accept.\"{}\" is not a result of this study{}", study.source, limit.name,
                              nearest.empty() ? "" : fmt::format("; did you mean \"{}\"?", nearest)));
    }
    require_unit_of(*found, limit, study.source);
    report.verdicts.push_back(judge(*found, limit.value, limit.at_most, limit.text, is_trusted(report.diagnostics)));
  }
}

std::vector<Result> backlash_results(const BacklashFit& fit) {
  std::vector<Result> results;
  results.push_back(with_interval("backlash.gap", fit.gap(), fit.gap_std(), "rad", 0.0));
  results.back().note = fit.is_backlash ? "total, at the load side" : "none found: the interval is an upper bound";
  results.push_back(with_interval("transmission.stiffness", fit.stiffness(), fit.stiffness_std(), "N m/rad", 0.0));
  results.back().note = "at the load side";
  if (!fit.shooting) return results;
  const std::string stiffness = "transmission.stiffness";
  results[0].budget = budget_of(fit, {"backlash.gap"}, *results[0].std);
  results[1].budget = budget_of(
      fit, fit.asymmetric ? std::vector{stiffness + ".positive", stiffness + ".negative"} : std::vector{stiffness},
      *results[1].std);
  for (std::size_t i = 0; i < fit.shooting_problem->parameters.size(); ++i) {
    const ShootingParameter& p = fit.shooting_problem->parameters[i];
    if (p.name == "backlash.gap" || p.name == "transmission.stiffness") continue;
    const auto at = static_cast<Eigen::Index>(i);
    const double std = std::sqrt(std::max(fit.shooting->covariance(at, at), 0.0));
    results.push_back(with_interval(result_name(p.name), fit.shooting->value[i], std, p.unit, p.lower));
    results.back().budget = budget_of(fit, {p.name}, std);
    if (std::isfinite(p.prior_std)) results.back().note = "known beforehand to within its std, and fitted";
  }
  return results;
}

std::string backlash_headline(const BacklashFit& fit, bool trusted) {
  const double k = k95;
  if (!trusted)
    return "This log does not give an answer that can be trusted. The diagnostics say why, and what to record.";
  if (!fit.is_backlash) {
    return fmt::format(
        "No backlash: a spring of {:.4g} ± {:.2g} N m/rad explains the log. A gap would be at most {:.2g} rad ({}).",
        fit.stiffness(), k * fit.stiffness_std(), fit.gap() + k * fit.gap_std(),
        spoken(fit.gap() + k * fit.gap_std(), "rad"));
  }
  return fmt::format("The gear has a gap of {:.4g} ± {:.2g} rad ({}), and a stiffness of {:.4g} ± {:.2g} N m/rad.",
                     fit.gap(), k * fit.gap_std(), spoken(fit.gap(), "rad"), fit.stiffness(), k * fit.stiffness_std());
}

BacklashAnswer answer_backlash(const Study& study, const Log& log,
                               const std::function<void(const std::string&, double)>& progress) {
  if (study.bristles)
    throw Error(ExitCode::wrong_use,
                fmt::format("{}: drive.motor.friction.law has memory, which identify cannot fit around; give a law "
                            "without, such as \"stribeck\" (simulate and estimate take both)",
                            study.source));
  BacklashAnswer answer;
  answer.source = log.source;
  answer.prepared = prepare(study, log);
  answer.prepared.options.progress = progress;
  answer.fit = identify_backlash(answer.prepared.timeline, study.drive, answer.prepared.options);
  answer.measures = measure(answer.fit, answer.prepared.timeline);
  Report& report = answer.report;
  report.command = "identify";
  report.title = fmt::format("Backlash: {} on {}", study.source, log.source);
  report.diagnostics = answer.prepared.diagnostics;
  const auto append = [&](std::vector<Diagnostic> more) {
    report.diagnostics.insert(report.diagnostics.end(), std::make_move_iterator(more.begin()),
                              std::make_move_iterator(more.end()));
  };
  append(diagnose(answer.fit, answer.measures));
  append(diagnose_steps(answer.fit.replay.failed, answer.prepared.timeline.size()));
  append(diagnose_sensors(log, answer.prepared.timeline, answer.fit.gap(), study.drive.ratio));
  report.results = backlash_results(answer.fit);
  report.headline = backlash_headline(answer.fit, is_trusted(report.diagnostics));
  judge_limits(study, report);
  report.sections = backlash_sections(answer.fit, answer.measures, answer.prepared.timeline);
  report.assumptions = study.assumptions;
  for (const auto& sensor : answer.prepared.timeline.sensors) {
    report.assumptions.push_back({sensor.signal + ", std", fmt::format("{:.4g}", std::sqrt(sensor.variance))});
  }
  report.assumptions.push_back(
      {"transmission.torque, intensity",
       fmt::format("{:.4g} N m/sqrt(s), {}", answer.fit.intensity,
                   study.identification.intensity ? "from the study" : "by innovation likelihood")});
  return answer;
}

}  // namespace tauhat
