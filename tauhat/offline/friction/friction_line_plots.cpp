// The friction of a regression and of a curve at constant speeds, over velocity: what was measured, the law, its band.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tauhat/offline/friction/friction_axes.hpp"
#include "tauhat/offline/friction/friction_report.hpp"
#include "tauhat/offline/report/series.hpp"

namespace tauhat {
namespace {

// A law at some speeds.
struct LawCurve {
  std::vector<double> speeds, friction, std{};
};

void draw(const LawCurve& law, const std::string& name, Plot& plot) {
  plot.series.push_back(band(name + ", 95 %", law.speeds, law.friction, law.std));
  plot.series.push_back(line(name, law.speeds, law.friction));
}

double fastest_of(const std::vector<double>& velocity) {
  double fastest = 0.0;
  for (const double v : velocity) fastest = std::max(fastest, std::abs(v));
  return fastest;
}

// Of an axis without load. Its band has the noise, and what the model lacks of each parameter by itself:
//   friction = g^T p,   variance = g^T C g + sum (g_i misfit_i)^2
LawCurve law_of(const RegressionFit& fit, const RegressionOptions& options) {
  AxisMotion steady;
  steady.velocity = grid_of_speeds(fastest_of(fit.velocity));
  steady.position = steady.acceleration = steady.force = std::vector<double>(steady.velocity.size(), 0.0);
  const auto columns = regression_columns(steady, options.friction, false);
  LawCurve law{steady.velocity, {}};
  for (std::size_t k = 0; k < steady.size(); ++k) {
    Eigen::VectorXd gradient = Eigen::VectorXd::Zero(static_cast<Eigen::Index>(fit.parameters.size()));
    Eigen::MatrixXd covariance = fit.covariance;
    double force = 0.0, misfit = 0.0;
    for (Eigen::Index i = 0; i < gradient.size(); ++i) {
      const RegressionParameter& p = fit.parameters[static_cast<std::size_t>(i)];
      const auto column = std::find_if(columns.begin(), columns.end(), [&](const auto& c) { return c.name == p.name; });
      if (column == columns.end() || !p.separable) {
        covariance.row(i).setZero(), covariance.col(i).setZero();
        continue;
      }
      gradient[i] = column->values[k];
      force += gradient[i] * p.value;
      misfit += std::pow(gradient[i] * p.misfit_std, 2);
    }
    law.friction.push_back(force);
    law.std.push_back(std::sqrt(std::max(gradient.dot(covariance * gradient), 0.0) + misfit));
  }
  return law;
}

Plot regression_curve(const RegressionFit& fit, const StudyAxis& axis) {
  const FrictionLabels labels(axis);
  const auto value = [&](const char* name) {
    const RegressionParameter* p = fit.find(name);
    return p && p->separable ? p->value : 0.0;
  };
  std::vector<double> seen, model;
  for (std::size_t k = 0; k < fit.force.size(); ++k) {
    const double other = value("axis.mass") * fit.acceleration[k] + value("gravity.sine") * std::sin(fit.position[k]) +
                         value("gravity.cosine") * std::cos(fit.position[k]);
    seen.push_back(fit.force[k] - other);
    model.push_back(fit.model_force[k] - other);
  }
  Plot curve{.title = "Friction over velocity",
             .x_label = labels.velocity,
             .y_label = labels.force,
             .caption = "The force less that of mass and gravity. A bend or a loop is what the model lacks.",
             .series = {}};
  curve.series = {cloud("measured", fit.velocity, seen)};
  if (axis.regression.torque_dependent) {
    curve.series.push_back(cloud("model", fit.velocity, model));
    curve.caption += " The law is that of an axis without load.";
  }
  draw(law_of(fit, axis.regression), "law", curve);
  return curve;
}

LawCurve law_of(const FrictionLine& fit, double direction, double fastest) {
  constexpr int kPoints = 40;  // a band bulges
  LawCurve law;
  for (int i = 0; i <= kPoints; ++i) {
    const double speed = fastest * (direction > 0.0 ? i : kPoints - i) / kPoints;
    law.speeds.push_back(direction * speed);
    law.friction.push_back(direction * fit.friction(speed));
    law.std.push_back(fit.friction_std(speed));
  }
  return law;
}

}  // namespace

std::vector<Section> regression_sections(const RegressionFit& fit, const StudyAxis& axis) {
  const std::string force = fmt::format("force [{}]", unit_of(axis, "N m"));
  Plot over_time{.title = "Force over time", .x_label = "time [s]", .y_label = force, .caption = {}, .series = {}};
  over_time.series = {line("measured", fit.time, fit.force), line("model", fit.time, fit.model_force),
                      line("residual", fit.time, fit.residual)};
  return {{"The friction curve", "", {regression_curve(fit, axis)}, {}}, {"The force", "", {std::move(over_time)}, {}}};
}

std::vector<Section> constant_speed_sections(const SpeedCurve& curve, const StudyAxis& axis) {
  const FrictionLabels labels(axis);
  Plot plot{.title = "Friction over velocity",
            .x_label = labels.velocity,
            .y_label = labels.force,
            .caption = "Means of the sections at constant speed. Where the two branches differ, friction remembers.",
            .series = {}};
  Series rising = cloud("speed stepped up to", {}, {}), falling = cloud("speed stepped down to", {}, {});
  Table table{"Each speed", {labels.velocity, labels.force, "std", "sections", "step"}, {}};
  for (const SpeedPoint& point : curve.points) {
    Series& branch = point.step == SpeedStep::rising ? rising : falling;
    branch.x.push_back(point.speed), branch.y.push_back(point.friction);
    table.rows.push_back({fmt::format("{:.5g}", point.speed), fmt::format("{:.5g}", point.friction),
                          fmt::format("{:.2g}", point.std), fmt::format("{}", point.sections),
                          point.step == SpeedStep::rising ? "up" : "down"});
  }
  plot.series = {std::move(rising), std::move(falling)};
  const auto add_line = [&](const FrictionLine& fit, double direction, const char* name) {
    if (!fit.separable) return;
    double fastest = 0.0;
    for (const SpeedPoint& point : curve.points) fastest = std::max(fastest, direction * point.speed);
    draw(law_of(fit, direction, fastest), name, plot);
  };
  add_line(curve.positive, 1.0, "line, forwards");
  add_line(curve.negative, -1.0, "line, backwards");
  if (!curve.offset_is_given) plot.caption += " The constant force that makes both directions alike was taken away.";
  return {{"The friction curve", "", {std::move(plot)}, {std::move(table)}}};
}

}  // namespace tauhat
