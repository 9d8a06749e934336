#include "tauhat/offline/identify/backlash_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tauhat/offline/error.hpp"
#include "tauhat/offline/identify/one_motion.hpp"
#include "tauhat/offline/identify/shooting_room.hpp"
#include "tauhat/offline/report/find_result.hpp"
#include "tauhat/offline/report/partners.hpp"
#include "tauhat/offline/report/series.hpp"
#include "tauhat/offline/report/verdict.hpp"
#include "tauhat/offline/spelling.hpp"
#include "tauhat/offline/units.hpp"

namespace tauhat {
namespace {

// The mean of some of the fitted parameters, as factors of them all.
Eigen::VectorXd mean_of(const BacklashFit& fit, const std::vector<std::string>& names) {
  const auto& all = fit.shooting_problem->parameters;
  Eigen::VectorXd factors = Eigen::VectorXd::Zero(static_cast<Eigen::Index>(all.size()));
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (std::find(names.begin(), names.end(), all[i].name) != names.end())
      factors[static_cast<Eigen::Index>(i)] = 1.0 / static_cast<double>(names.size());
  }
  return factors;
}

// Noise is what is left where the study's uncertain inputs are held at their values; they make up the rest. What the
// log itself says of such an input counts as the input's, too. What the model may lack comes on top.
Result mean_result(const BacklashFit& fit, const BacklashMeasures& measures, const std::string& name,
                   const std::string& unit, double lowest, const std::vector<std::string>& parameters) {
  const Eigen::VectorXd factors = mean_of(fit, parameters);
  const Eigen::VectorXd value = Eigen::Map<const Eigen::VectorXd>(fit.shooting->value.data(), factors.size());
  const double variance = std::max(factors.dot(fit.shooting->covariance * factors), 0.0);
  const double noise = std::max(factors.dot(fit.shooting->noise_covariance * factors), 0.0);
  // Where the likelihood is no parabola, the gap's interval reaches farther to one side.
  const auto [below, above] =
      parameters.front() == "backlash.gap" ? fit.shooting->reach_of_first : std::array<double, 2>{1.0, 1.0};
  const double mean_reach = 0.5 * (below + above);
  UncertaintyBudget budget;
  budget.noise = mean_reach * std::sqrt(std::min(noise, variance));
  budget.inputs = std::sqrt(std::max(variance - noise, 0.0));
  budget.model = largest_shift(measures.suspects, factors);
  Result result = with_interval(name, factors.dot(value), budget.total(), unit, lowest);
  const double half = k95 * budget.total() / mean_reach;
  result.ci95 = {{std::max(result.value - below * half, lowest), result.value + above * half}};
  result.budget = budget;
  return result;
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
  for (const Limit& limit : study.limits) {
    const Result* found = find_result(report.results, limit.name);
    // Where both flanks are alike, the stiffness of either is that of both.
    if (!found && limit.name.starts_with("transmission.stiffness."))
      found = find_result(report.results, "transmission.stiffness");
    if (!found && std::find(possible.begin(), possible.end(), limit.name) != possible.end()) {
      const bool by_a_law = study.axis && study.axis->method == StudyAxis::Method::two_step;
      report.verdicts.push_back({limit.name, Conformity::inconclusive, limit.text,
                                 by_a_law ? "the law that was found does not give it, or the diagnostics say why"
                                          : "this record does not give it; the diagnostics say why"});
      continue;
    }
    if (!found) {
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

std::vector<Result> backlash_results(const BacklashFit& fit, const BacklashMeasures& measures) {
  std::vector<Result> results;
  const std::string stiffness = "transmission.stiffness";
  if (fit.shooting) {
    const auto flanks =
        fit.asymmetric ? std::vector{stiffness + ".positive", stiffness + ".negative"} : std::vector{stiffness};
    results.push_back(mean_result(fit, measures, "backlash.gap", "rad", 0.0, {"backlash.gap"}));
    results.push_back(mean_result(fit, measures, stiffness, "N m/rad", 0.0, flanks));
  } else {
    results.push_back(with_interval("backlash.gap", fit.gap(), fit.gap_std(), "rad", 0.0));
    results.push_back(with_interval(stiffness, fit.stiffness(), fit.stiffness_std(), "N m/rad", 0.0));
  }
  results[0].note = fit.is_backlash ? "total, at the load side" : "none found: the interval is an upper bound";
  results[1].note = "at the load side";
  if (!fit.shooting) return results;
  for (const ShootingParameter& p : fit.shooting_problem->parameters) {
    if (p.name == "backlash.gap" || p.name == stiffness) continue;
    results.push_back(mean_result(fit, measures, result_name(p.name), p.unit, p.lower, {p.name}));
    if (!std::isfinite(p.prior_std)) continue;
    results.back().note = "known beforehand to within its std, and fitted";
    compare_with_prior(results.back(), p.prior_std);
  }
  std::vector<std::string> names;
  for (const ShootingParameter& p : fit.shooting_problem->parameters) names.push_back(result_name(p.name));
  name_partners(names, fit.shooting->covariance, results);
  return results;
}

// The dead zone's numbers are what the decision makes of them: without backlash its gap is no more than a bound, and a
// spring that stiffens has no one stiffness.
void follow_decision(const BacklashFit& fit, Result& gap, Result& stiffness) {
  using Told = Identifiability::Told;
  if (!fit.is_backlash) {
    gap.ci95->at(0) = 0.0;
    gap.identifiability.emplace(gap.identifiability.value_or(Identifiability{})).told = Told::only_a_bound;
  }
  if (!fit.stiffens) return;
  gap.identifiability = {.told = Told::only_a_bound,
                         .separated_by = "a spring that stiffens explains the log without a gap"};
  stiffness.note = "of a dead zone; the log shows a spring that stiffens";
  stiffness.identifiability = {.told = Told::not_identified,
                               .separated_by = "a spring that stiffens has no one stiffness"};
}

// What the diagnostics say of single numbers: a gap seen from one side, parameters that the log does not tell.
void say_what_is_told(const BacklashFit& fit, const BacklashMeasures& measures, std::vector<Result>& results) {
  using Told = Identifiability::Told;
  follow_decision(fit, results[0], results[1]);
  if (presses_one_flank_alone(measures))
    results.front().identifiability = {.told = Told::only_a_bound,
                                       .separated_by = "torque of both signs, which presses both flanks"};
  if (!fit.shooting) return;
  for (Result& result : results) {
    for (const std::string& untold : fit.shooting->undetermined)
      if (result_name(untold) == result.name)
        result.identifiability = {.told = Told::not_identified,
                                  .separated_by = "the diagnostic unknown.undetermined says how to tell it"};
  }
}

std::string backlash_headline(const BacklashFit& fit, const std::vector<Result>& results, bool trusted) {
  if (!trusted)
    return "This log does not give an answer that can be trusted. The diagnostics say why, and what to record.";
  const Result &gap = results[0], &stiffness = results[1];
  const auto half = [](const Result& r) { return k95 * r.std.value_or(0.0); };
  if (!fit.is_backlash) {
    return fmt::format(
        "No backlash: a spring of {:.4g} ± {:.2g} N m/rad explains the log. A gap would be at most {:.2g} rad ({}).",
        stiffness.value, half(stiffness), gap.value + half(gap), spoken(gap.value + half(gap), "rad"));
  }
  return fmt::format("The gear has a gap of {:.4g} ± {:.2g} rad ({}), and a stiffness of {:.4g} ± {:.2g} N m/rad.",
                     gap.value, half(gap), spoken(gap.value, "rad"), stiffness.value, half(stiffness));
}

BacklashAnswer answer_backlash(const Study& study, const Log& log,
                               const std::function<void(const std::string&, double)>& progress) {
  if (study.bristles)
    throw Error(ExitCode::wrong_use,
                fmt::format("{}: drive.motor.friction.law has memory, which identify cannot fit around; give a law "
                            "without, such as \"stribeck\" (simulate and estimate take both)",
                            study.source));
  refuse_more_than_fits(study);
  BacklashAnswer answer;
  answer.source = log.source;
  answer.prepared = prepare(study, log);
  answer.prepared.options.progress = progress;
  require_one_motion(study, answer.prepared.timeline);
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
  report.results = backlash_results(answer.fit, answer.measures);
  if (is_trusted(report.diagnostics)) append(diagnose_intervals(report.results));
  append(diagnose_sensors(log, answer.prepared.timeline, told_gap(answer.fit), study.drive.ratio));
  say_what_is_told(answer.fit, answer.measures, report.results);
  report.headline = backlash_headline(answer.fit, report.results, is_trusted(report.diagnostics));
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
