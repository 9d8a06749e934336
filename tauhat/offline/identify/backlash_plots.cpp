// The plots of a backlash report: torque over displacement, states over time, innovations, excitation.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tauhat/offline/identify/backlash_report.hpp"
#include "tauhat/offline/report/series.hpp"

namespace tauhat {
namespace {

// Gap, stiffnesses and their covariance as the final fit has them, in the order of the asymmetric curve.
struct FinalCurve {
  CurveParameters parameters{};
  Eigen::Matrix3d covariance = Eigen::Matrix3d::Zero();
};

FinalCurve final_curve(const BacklashFit& fit) {
  FinalCurve final;
  Eigen::MatrixXd into(3, 0);
  if (fit.shooting) {
    const auto& parameters = fit.shooting_problem->parameters;
    into = Eigen::MatrixXd::Zero(3, static_cast<Eigen::Index>(parameters.size()));
    for (std::size_t i = 0; i < parameters.size(); ++i) {
      const auto at = static_cast<Eigen::Index>(i);
      const std::string& name = parameters[i].name;
      if (name == "backlash.gap") into(2, at) = 0.5;
      if (name == "transmission.stiffness") into(0, at) = into(1, at) = 1.0;
      if (name == "transmission.stiffness.positive") into(0, at) = 1.0;
      if (name == "transmission.stiffness.negative") into(1, at) = 1.0;
    }
    const Eigen::VectorXd value = Eigen::Map<const Eigen::VectorXd>(fit.shooting->value.data(), into.cols());
    const Eigen::Vector3d p = into * value;
    final.parameters = {p[0], p[1], p[2]};
    final.covariance = into * fit.shooting->covariance * into.transpose();
    return final;
  }
  final.parameters = {fit.stiffness(), fit.stiffness(), 0.5 * fit.gap()};
  final.covariance.diagonal() << std::pow(fit.stiffness_std(), 2), std::pow(fit.stiffness_std(), 2),
      std::pow(0.5 * fit.gap_std(), 2);
  return final;
}

Plot torque_over_displacement(const BacklashFit& fit) {
  Plot plot{.title = "Torque over displacement",
            .x_label = "displacement from the middle of the gap [rad]",
            .y_label = "transmission torque [N m]",
            .caption =
                "Flat in the middle is gap, the slopes are the stiffness. Points off the line near the corners are the "
                "smoother's rounding.",
            .series = {}};
  std::vector<double> displacement, grid, torque, std, spring;
  for (std::size_t i = 0; i < fit.cloud.size(); ++i) {
    displacement.push_back(fit.cloud.displacement[i] - fit.dead_zone.offset.at(fit.cloud.time[i]));
  }
  const auto [low, high] = std::minmax_element(displacement.begin(), displacement.end());
  const FinalCurve final = final_curve(fit);
  constexpr int kPoints = 400;
  for (int i = 0; i <= kPoints; ++i) {
    const double x = *low + (*high - *low) * i / kPoints;
    const CurvePoint point = evaluate(Curve::asymmetric_dead_zone, final.parameters, x);
    const Eigen::Vector3d gradient(point.gradient[0], point.gradient[1], point.gradient[2]);
    grid.push_back(x), torque.push_back(point.torque);
    std.push_back(std::sqrt(std::max(gradient.dot(final.covariance * gradient), 0.0)));
    spring.push_back(evaluate(Curve::linear, fit.rivals.front().parameters, x).torque);
  }
  plot.series = {cloud("smoothed estimates", displacement, fit.cloud.torque),
                 band("fitted law, 95 %", grid, torque, std), line("fitted law", grid, torque),
                 hidden(dashed(line("best spring without gap", grid, spring)))};
  return plot;
}

Plot over_time(const BacklashFit& fit, const Timeline& timeline, const std::string& title, const std::string& unit,
               const std::vector<std::string>& outputs) {
  Plot plot{.title = title, .x_label = "time [s]", .y_label = unit, .caption = {}, .series = {}};
  for (const std::string& name : outputs) {
    for (const auto& sensor : timeline.sensors) {
      if (sensor.signal != name) continue;
      plot.series.push_back(hidden(line(name + ", measured", timeline.time, sensor.value)));
    }
    const Track& track = fit.smoothed(name);
    plot.series.push_back(band(name + ", 95 %", timeline.time, track.value, track.std));
    plot.series.push_back(line(name, timeline.time, track.value));
  }
  return plot;
}

Plot innovations(const BacklashFit& fit, const Timeline& timeline, const BacklashMeasures& m) {
  Plot plot{
      .title = "Innovations",
      .x_label = "time [s]",
      .y_label = "innovation / its standard deviation",
      .caption = fmt::format("About 95 % should lie within ±1.96. Mean square {:.2f}; 1 is expected.", m.mean_nis),
      .series = {}};
  for (std::size_t s = 0; s < timeline.sensors.size(); ++s) {
    std::vector<double> normalised;
    for (std::size_t k = 0; k < timeline.size(); ++k)
      normalised.push_back(fit.replay.innovations[s].innovation[k] / fit.replay.innovations[s].std[k]);
    plot.series.push_back(markers(timeline.sensors[s].signal, timeline.time, std::move(normalised)));
  }
  for (const double level : {-k95, k95}) {
    plot.series.push_back(
        dashed(line(level < 0 ? "-1.96" : "+1.96", {timeline.time.front(), timeline.time.back()}, {level, level})));
  }
  return plot;
}

Plot shooting_residuals(const BacklashFit& fit, const Timeline& timeline, const BacklashMeasures& m) {
  Plot plot{.title = "Residuals of the fitted law",
            .x_label = "time [s]",
            .y_label = "residual / sensor std",
            .caption = fmt::format("Reduced chi-square {:.3f}; 1 is expected. Structure here is what the model lacks.",
                                   m.reduced_chi_square),
            .series = {}};
  for (std::size_t s = 0; s < timeline.sensors.size(); ++s) {
    plot.series.push_back(markers(timeline.sensors[s].signal, timeline.time, fit.shooting->residuals[s]));
  }
  return plot;
}

Table measures_table(const BacklashFit& fit, const BacklashMeasures& m) {
  const auto number = [](double v) { return fmt::format("{:.3g}", v); };
  Table table{"What decides whether to trust it", {"measure", "value", "good"}, {}};
  table.rows = {
      {"samples on the upper / lower flank",
       fmt::format("{:.0f} % / {:.0f} %", 100 * m.share_positive, 100 * m.share_negative), "both above 0.5 %"},
      {"times that the upper / lower flank is pressed", fmt::format("{} / {}", m.presses_positive, m.presses_negative),
       "both 38, or the next below 1 %"},
      {"interval of the stiffness by noise", fmt::format("± {:.2g} %", 100 * k95 * m.stiffness_spread),
       "below 1 %, or the flanks are pressed often"},
      {"large flank torque / its std", number(m.torque_over_noise), "the more, the sharper the corners"},
      {"drift within 0.1 s / range of displacement", number(m.drift_over_range), "below 0.25"},
      {"mean normalised innovation squared", number(m.mean_nis), "below 1.5"}};
  if (fit.shooting) {
    table.rows.push_back({"reduced chi-square of the fit", number(m.reduced_chi_square), "below 1.1"});
    table.rows.push_back({"largest residual autocorrelation", fmt::format("{:+.3f}", m.autocorrelation), "below 0.06"});
    table.rows.push_back({"segments left out", fmt::format("{:.0f} %", 100 * m.dropped_share), "below 25 %"});
    table.rows.push_back({"share of the log that the fit used", fmt::format("{:.0f} %", 100 * fit.share_used),
                          "the segments that tell most"});
  }
  return table;
}

Table rivals_table(const BacklashFit& fit) {
  Table table{"Is it backlash? The dead zone against its rivals",
              {"curve", "gap [rad]", "stiffness [N m/rad]", "evidence for the dead zone"},
              {}};
  table.rows.push_back({"dead zone", fmt::format("{:.5g} ± {:.2g}", fit.dead_zone.gap(), k95 * fit.dead_zone.gap_std()),
                        fmt::format("{:.5g} ± {:.2g}", fit.dead_zone.stiffness(), k95 * fit.dead_zone.stiffness_std()),
                        ""});
  for (std::size_t i = 0; i < fit.rivals.size(); ++i) {
    table.rows.push_back({std::string(name_of(fit.rivals[i].curve)), "none",
                          fmt::format("{:.5g}", fit.rivals[i].stiffness()),
                          fmt::format("{:.0f} (above 10 counts)", fit.evidence.rivals[i].evidence)});
  }
  return table;
}

Plot intensity_plot(const BacklashFit& fit) {
  Plot plot{.title = "Choice of the torque's intensity",
            .x_label = "log10 of the intensity [N m/sqrt(s)]",
            .y_label = "log-likelihood per sample",
            .caption = "The maximum was taken.",
            .series = {}};
  Series series = curve("innovation likelihood", {}, {});
  for (const auto& [intensity, likelihood] : fit.intensity_likelihood) {
    series.x.push_back(std::log10(intensity)), series.y.push_back(likelihood);
  }
  plot.series.push_back(std::move(series));
  return plot;
}

}  // namespace

std::vector<Section> backlash_sections(const BacklashFit& fit, const BacklashMeasures& m, const Timeline& timeline) {
  std::vector<Section> sections;
  sections.push_back({"The transmission",
                      "What the gear passes on, over how far it is twisted. No shape was assumed for the points; the "
                      "line is the fitted dead zone.",
                      {torque_over_displacement(fit)},
                      {rivals_table(fit)}});
  sections.push_back({"The motion",
                      "Smoothed states with 95 % bands: what all samples, before and after, say of each instant.",
                      {over_time(fit, timeline, "Transmission torque", "N m", {"transmission.torque"}),
                       over_time(fit, timeline, "Velocities", "rad/s", {"motor.velocity", "load.velocity"}),
                       over_time(fit, timeline, "Displacement", "rad", {"transmission.displacement"})},
                      {}});
  Section consistency{"Does the model fit?", "", {innovations(fit, timeline, m)}, {measures_table(fit, m)}};
  if (fit.shooting) consistency.plots.push_back(shooting_residuals(fit, timeline, m));
  sections.push_back(std::move(consistency));
  Plot torque{.title = "Motor torque", .x_label = "time [s]", .y_label = "N m", .caption = {}, .series = {}};
  torque.series.push_back(line("motor.torque", timeline.time, timeline.inputs[0]));
  Section excitation{"Excitation", "What moved the axis.", {torque}, {}};
  if (!fit.intensity_likelihood.empty()) excitation.plots.push_back(intensity_plot(fit));
  sections.push_back(std::move(excitation));
  return sections;
}

}  // namespace tauhat
