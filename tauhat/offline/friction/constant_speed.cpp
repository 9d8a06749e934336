#include "tauhat/offline/friction/constant_speed.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tauhat/offline/error.hpp"
#include "tauhat/offline/friction/fitted_gravity.hpp"
#include "tauhat/offline/friction/gravity_spread.hpp"
#include "tauhat/offline/friction/long_run_covariance.hpp"
#include "tauhat/offline/friction/steady_sections.hpp"

namespace tauhat {
namespace {

using Eigen::Index;
using Eigen::VectorXd;

struct Mean {
  double value, variance, speed;
  std::size_t samples, section;
};

// Of the parabola through the positions, which has far less noise than the difference of two velocities:
//   a = 2 sum q_k P_k / sum P_k^2,   P_k = s_k^2 - mean s^2,   s from the middle of the section
struct Acceleration {
  double value, variance;
};
Acceleration mean_acceleration(const AxisMotion& motion, const SteadySection& section) {
  const auto count = static_cast<Index>(section.size());
  const double middle = 0.5 * static_cast<double>(count - 1);
  const VectorXd s = (VectorXd::LinSpaced(count, 0.0, static_cast<double>(count - 1)).array() - middle) * motion.period;
  const VectorXd parabola = s.cwiseAbs2().array() - s.cwiseAbs2().mean();
  VectorXd position(count);
  for (Index k = 0; k < count; ++k) position[k] = motion.position[section.first + static_cast<std::size_t>(k)];
  position.array() -= position.mean();
  position -= position.dot(s) / s.squaredNorm() * s;
  const double share = position.dot(parabola) / parabola.squaredNorm();
  const VectorXd left = (position - share * parabola).cwiseProduct(parabola) / parabola.squaredNorm();
  return {2.0 * share, 4.0 * long_run_covariance(left)(0, 0)};
}

// Constant speed is met only so well: an axis settles to it, for as long as its mass over its viscous friction, and
// that takes a force.
Mean section_mean(const AxisMotion& motion, const std::vector<SteadySection>& sections, std::size_t at,
                  const Gravity& gravity, double mass) {
  const SteadySection& section = sections[at];
  VectorXd friction(static_cast<Index>(section.size()));
  for (std::size_t k = section.first; k < section.last; ++k) {
    friction[static_cast<Index>(k - section.first)] = motion.force[k] - gravity.force(motion.position[k]);
  }
  const Acceleration settling = mass > 0.0 ? mean_acceleration(motion, section) : Acceleration{0.0, 0.0};
  friction.array() -= mass * settling.value;
  const double mean = friction.mean(), count = static_cast<double>(section.size());
  const VectorXd deviation = friction.array() - mean;
  const double variance = long_run_covariance(deviation)(0, 0) / (count * (count - 1.0));
  return {mean, variance + mass * mass * settling.variance, section.speed, section.size(), at};
}

// Sections of one speed differ by more than their own scatter, by a variance of its own (DerSimonian and Laird 1986):
//   between = max(0, (Q - (n - 1)) / (sum w - sum w^2 / sum w)),   w = 1 / variance,   Q = sum w (x - mean)^2
double variance_between(const std::vector<Mean>& means) {
  double weights = 0.0, squares = 0.0, sum = 0.0;
  for (const Mean& m : means) {
    weights += 1.0 / m.variance;
    squares += 1.0 / (m.variance * m.variance);
    sum += m.value / m.variance;
  }
  double scatter = 0.0;
  for (const Mean& m : means) scatter += std::pow(m.value - sum / weights, 2) / m.variance;
  const double freedom = static_cast<double>(means.size()) - 1.0;
  return freedom > 0.0 ? std::max(0.0, (scatter - freedom) / (weights - squares / weights)) : 0.0;
}

// Without noise to weigh them by, all sections count alike.
SpeedPoint point_of(const std::vector<Mean>& means, double between, SpeedStep step, bool is_exact) {
  SpeedPoint point{.sections = means.size(), .step = step};
  double weights = 0.0;
  for (const Mean& m : means) {
    const double weight = is_exact ? 1.0 : 1.0 / (m.variance + between);
    weights += weight;
    point.friction += weight * m.value;
    point.speed += weight * m.speed;
    point.samples += m.samples;
    point.shares.push_back({m.section, weight});
  }
  for (SectionShare& part : point.shares) part.share /= weights;
  point.friction /= weights;
  point.speed /= weights;
  point.std = is_exact ? 0.0 : std::sqrt(1.0 / weights);
  return point;
}

struct CurvePoints {
  std::vector<SpeedPoint> points;
  std::vector<SectionNoise> noise;  // of each section
  bool is_exact = false;            // there is no noise to weigh by
};

// Of the sections of one speed level, reached in one way and driven in one direction.
std::vector<Mean> means_of(const std::vector<Mean>& all, const std::vector<SteadySection>& sections, std::size_t level,
                           SpeedStep step, bool positive) {
  std::vector<Mean> means;
  for (std::size_t i = 0; i < sections.size(); ++i) {
    const SteadySection& section = sections[i];
    if (section.level == level && section.step == step && (section.speed > 0.0) == positive) means.push_back(all[i]);
  }
  return means;
}

CurvePoints points_of(const AxisMotion& motion, const std::vector<SteadySection>& sections, std::size_t levels,
                      const Gravity& gravity, double mass) {
  std::vector<Mean> all;
  for (std::size_t i = 0; i < sections.size(); ++i) all.push_back(section_mean(motion, sections, i, gravity, mass));
  CurvePoints found;
  // A section of one force alone, as coarse steps of it make them, would outweigh all others.
  constexpr double kRoundOff = 1e-12;
  found.is_exact = std::any_of(all.begin(), all.end(),
                               [](const Mean& m) { return !(std::sqrt(m.variance) > kRoundOff * std::abs(m.value)); });
  for (const Mean& m : all) found.noise.push_back({m.variance * static_cast<double>(m.samples), 0.0});
  for (const bool positive : {false, true}) {
    for (std::size_t level = 0; level < levels; ++level) {
      for (const SpeedStep step : {SpeedStep::rising, SpeedStep::falling}) {
        const std::vector<Mean> means = means_of(all, sections, level, step, positive);
        if (means.empty()) continue;
        const double between = found.is_exact ? 0.0 : variance_between(means);
        for (const Mean& m : means) found.noise[m.section].between = between;
        found.points.push_back(point_of(means, between, step, found.is_exact));
      }
    }
  }
  std::stable_sort(found.points.begin(), found.points.end(),
                   [](const auto& a, const auto& b) { return a.speed < b.speed; });
  return found;
}

std::string why_no_section(const AxisMotion& motion, const AxisRecord& record, const ConstantSpeedOptions& options) {
  if (!is_moving(motion))
    return fmt::format("{}: the axis does not move. Record strokes at several constant speeds, in both directions",
                       record.source);
  return fmt::format(
      "{}: no section of at least {:g} s at constant speed. Record longer strokes, or less acceleration "
      "time",
      record.source, options.shortest_section);
}

}  // namespace

double Gravity::force(double position) const {
  return sine * std::sin(position) + cosine * std::cos(position) + offset;
}

CoulombLevel SpeedCurve::mean_coulomb() const {
  const double variance = positive.coulomb_std * positive.coulomb_std + negative.coulomb_std * negative.coulomb_std;
  return {0.5 * (positive.coulomb + negative.coulomb), 0.5 * std::sqrt(variance + 2.0 * coulomb_covariance)};
}

SpeedCurve friction_curve(const AxisRecord& record, const ConstantSpeedOptions& options) {
  const AxisMotion motion = differentiate_axis(record, options.cut_off, options.trimmed);
  std::vector<SteadySection> sections = find_steady_sections(motion, options.shortest_section);
  if (sections.empty()) throw Error(ExitCode::unusable_data, why_no_section(motion, record, options));
  const std::size_t levels = group_speeds(sections);
  mark_steps(sections);
  SpeedCurve curve;
  FittedGravity fitted;
  if (!options.gravity) fitted = fit_gravity(motion, sections, levels, options.turns, record.source);
  curve.gravity = options.gravity.value_or(fitted.gravity);
  curve.gravity.offset = options.offset.value_or(curve.gravity.offset);
  curve.offset_is_given = options.gravity || options.offset;
  CurvePoints found = points_of(motion, sections, levels, curve.gravity, options.mass);
  curve.points = std::move(found.points);
  curve.positive = line_through(curve.points, true);
  curve.negative = line_through(curve.points, false);
  if (!options.gravity) {
    // It was fitted for what differs between the directions: uneven friction looks like it.
    if (options.offset) fitted.by_row.row(0).setZero();
    add_gravity_spread(fitted, motion, sections, found.noise, found.is_exact, curve);
  }
  return curve;
}

}  // namespace tauhat
