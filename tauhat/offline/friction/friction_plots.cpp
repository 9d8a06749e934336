// What friction looks like: over velocity with the law and its band, over time, the candidates, what is left.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "tauhat/offline/friction/friction_axes.hpp"
#include "tauhat/offline/friction/friction_report.hpp"
#include "tauhat/offline/friction/law_parameters.hpp"
#include "tauhat/offline/report/series.hpp"

namespace tauhat {
namespace {

Plot over_velocity(const FrictionFit& fit, const FrictionLabels& labels) {
  Plot plot{
      .title = "Friction over velocity",
      .x_label = labels.velocity,
      .y_label = labels.force,
      .caption = "Points are what the blind smoother saw, without a law. Where they leave the line, the law fails.",
      .series = {}};
  double fastest = 0.0;
  for (const double v : fit.blind.velocity.value) fastest = std::max(fastest, std::abs(v));
  const std::vector<double> speeds = grid_of_speeds(fastest);
  std::vector<double> force, std;
  for (const double v : speeds) force.push_back(fit.steady_force(v)), std.push_back(fit.steady_force_std(v));
  plot.series = {cloud("blind smoother", fit.blind.velocity.value, fit.blind.friction.value),
                 band("law, 95 %", speeds, force, std),
                 line(fmt::format("law: {}", name_of(fit.law.kind)), speeds, force)};
  return plot;
}

Plot over_time(const FrictionFit& fit, const Timeline& timeline, const FrictionLabels& labels) {
  Plot plot{.title = "Friction over time",
            .x_label = "time [s]",
            .y_label = labels.force,
            .caption = "By the law and without one. Where the axis sticks, friction is whatever holds it.",
            .series = {}};
  const Track& f = fit.parametric.smoothed_friction;
  std::vector<double> stuck;
  for (std::size_t k = 0; k < f.value.size(); ++k)
    stuck.push_back(fit.parametric.sticks[k] ? f.value[k] : std::numeric_limits<double>::quiet_NaN());
  plot.series = {band("with the law, 95 %", timeline.time, f.value, f.std),
                 line("with the law, smoothed", timeline.time, f.value),
                 line("blind, smoothed", timeline.time, fit.blind.friction.value)};
  if (std::any_of(fit.parametric.sticks.begin(), fit.parametric.sticks.end(), [](char s) { return s != 0; }))
    plot.series.push_back(line("sticks", timeline.time, std::move(stuck)));
  plot.series.push_back(hidden(line("blind, filtered", timeline.time, fit.blind.filtered_friction.value)));
  return plot;
}

Plot residuals(const FrictionFit& fit, const FrictionMeasures& m) {
  Plot plot{.title = "Innovations with the law",
            .x_label = "time [s]",
            .y_label = "over their standard deviation",
            .caption = fmt::format("About 95 % should lie within ±1.96. Mean square {:.2f}; 1 is expected. Alike from "
                                   "sample to sample by {:.3f}.",
                                   m.mean_nis, m.autocorrelation),
            .series = {}};
  plot.series = {markers("innovations", fit.parametric.innovation_times, fit.parametric.innovations)};
  return plot;
}

std::string numbers_of(const FittedLaw& fit) {
  std::string text;
  for_each_fitted(fit, [&](const ParameterInfo&, const std::string& name, double value) {
    text += fmt::format("{}{} {:.4g}", text.empty() ? "" : ", ", name.substr(sizeof("friction")), value);
  });
  return text;
}

Table candidates(const FrictionFit& fit) {
  Table table{"Candidates, best first",
              {"law", "parameters", "residual over noise", "BIC above the least",
               fit.motion ? "its own motion's, above its least" : "the filter's, above its least", "numbers"},
              {}};
  double best = fit.candidates.front().bic, likeliest = std::numeric_limits<double>::infinity();
  for (const LawFit& each : fit.candidates) {
    best = std::min(best, each.bic);
    likeliest = std::min(likeliest, each.filter_bic.value_or(likeliest));
  }
  for (const LawFit& each : fit.candidates) {
    table.rows.push_back({std::string(name_of(each.law.kind)), fmt::format("{}", each.law.parameters()),
                          fmt::format("{:.3g}", each.variance / fit.noise_variance),
                          fmt::format("{:.1f}", each.bic - best),
                          each.filter_bic ? fmt::format("{:.1f}", *each.filter_bic - likeliest) : "",
                          each.separable ? numbers_of(each.law) : each.why});
  }
  return table;
}

}  // namespace

std::vector<Section> friction_sections(const FrictionFit& fit, const FrictionMeasures& measures,
                                       const Timeline& timeline, const StudyAxis& axis) {
  const FrictionLabels labels(axis);
  return {
      {"The friction curve", "", {over_velocity(fit, labels)}, {}},
      {"Friction over time", "", {over_time(fit, timeline, labels)}, {}},
      {"Which law",
       "Each candidate was fitted to the motion. BIC weighs what it leaves unexplained against its number of "
       "parameters; ten more is decisive. This fit is coarse around reversals, so its residual ranks the laws and is "
       "no test of them. " +
           std::string(
               fit.motion ? "Then each ran by itself, driven by the force alone: those that have a number there follow "
                            "the whole record to within the sensor's noise, and the first row is the likeliest of "
                            "them, or the simpler one of two that are as likely."
                          : "The nearest rivals were then judged by the filter that runs with each: the law in the "
                            "first row is the likeliest of those whose numbers an axis can have; what is wrong with "
                            "others stands beside them."),
       {},
       {candidates(fit)}},
      {"What the law leaves", "", {residuals(fit, measures)}, {}}};
}

}  // namespace tauhat
