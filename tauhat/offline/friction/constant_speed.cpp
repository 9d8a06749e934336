#include "tauhat/offline/friction/constant_speed.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tauhat/offline/error.hpp"
#include "tauhat/offline/friction/long_run_covariance.hpp"
#include "tauhat/offline/friction/steady_sections.hpp"

namespace tauhat {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

// Sums over all sections of  force = sine sin(q) + cosine cos(q) + offset + friction(level) sign(v).
struct GravitySums {
  MatrixXd gram;
  VectorXd product;
};

// offset, then sine and cosine where the axis turns, then the levels
VectorXd gravity_row(const SteadySection& section, double position, std::size_t levels, bool turns) {
  const Index shape = turns ? 3 : 1;
  VectorXd row = VectorXd::Zero(shape + static_cast<Index>(levels));
  row[0] = 1.0;
  if (turns) row.segment(1, 2) << std::sin(position), std::cos(position);
  row[shape + static_cast<Index>(section.level)] = section.speed > 0.0 ? 1.0 : -1.0;
  return row;
}

GravitySums gravity_sums(const AxisMotion& motion, const std::vector<SteadySection>& sections, std::size_t levels,
                         bool turns) {
  const Index terms = (turns ? 3 : 1) + static_cast<Index>(levels);
  GravitySums sums{MatrixXd::Zero(terms, terms), VectorXd::Zero(terms)};
  for (const SteadySection& section : sections) {
    for (std::size_t k = section.first; k < section.last; ++k) {
      const VectorXd row = gravity_row(section, motion.position[k], levels, turns);
      sums.gram += row * row.transpose();
      sums.product += motion.force[k] * row;
    }
  }
  return sums;
}

void require_separable(const MatrixXd& gram, bool turns, const std::string& source) {
  const VectorXd scale = gram.diagonal().cwiseSqrt().cwiseInverse();
  const Eigen::SelfAdjointEigenSolver<MatrixXd> scaled(scale.asDiagonal() * gram * scale.asDiagonal());
  constexpr double kSingular = 1e-4;  // as in the regression: a direction shorter than one percent
  if (scaled.eigenvalues()[0] >= kSingular) return;
  throw Error(ExitCode::unusable_data,
              fmt::format("{}: {} cannot be told from friction: record the same speeds and positions in both "
                          "directions{}, or give {}",
                          source, turns ? "gravity" : "the offset", turns ? " over a longer stroke" : "",
                          turns ? "gravity" : "the offset"));
}

struct FittedGravity {
  Gravity gravity;
  double offset_std = 0.0;
};

// Samples of a section are alike, sections are not: what each says of the offset by itself shows how far it scatters
//   cov = G^-1 (sum_s g_s g_s^T) G^-1 n / (n - p),   g_s = sum over the section of row * residual   (Liang, Zeger 1986)
FittedGravity fit_gravity(const AxisMotion& motion, const std::vector<SteadySection>& sections, std::size_t levels,
                          bool turns, const std::string& source) {
  const GravitySums sums = gravity_sums(motion, sections, levels, turns);
  require_separable(sums.gram, turns, source);
  const MatrixXd inverse = sums.gram.inverse();
  const VectorXd found = inverse * sums.product;
  double variance = 0.0;
  for (const SteadySection& section : sections) {
    VectorXd score = VectorXd::Zero(found.size());
    for (std::size_t k = section.first; k < section.last; ++k) {
      const VectorXd row = gravity_row(section, motion.position[k], levels, turns);
      score += (motion.force[k] - row.dot(found)) * row;
    }
    variance += std::pow(inverse.row(0).dot(score), 2);
  }
  const auto count = static_cast<double>(sections.size()), terms = static_cast<double>(found.size());
  const double offset_std = std::sqrt(variance * count / std::max(count - terms, 1.0));
  return {turns ? Gravity{found[1], found[2], found[0]} : Gravity{0.0, 0.0, found[0]}, offset_std};
}

struct Mean {
  double value, variance, speed;
  std::size_t samples;
};

Mean section_mean(const AxisMotion& motion, const SteadySection& section, const Gravity& gravity) {
  VectorXd friction(static_cast<Index>(section.size()));
  for (std::size_t k = section.first; k < section.last; ++k) {
    friction[static_cast<Index>(k - section.first)] = motion.force[k] - gravity.force(motion.position[k]);
  }
  const double mean = friction.mean(), count = static_cast<double>(section.size());
  const VectorXd deviation = friction.array() - mean;
  return {mean, long_run_covariance(deviation)(0, 0) / (count * (count - 1.0)), section.speed, section.size()};
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
SpeedPoint point_of(const std::vector<Mean>& means, SpeedStep step, bool is_exact) {
  const double between = is_exact ? 0.0 : variance_between(means);
  SpeedPoint point{.sections = means.size(), .step = step};
  double weights = 0.0;
  for (const Mean& m : means) {
    const double weight = is_exact ? 1.0 : 1.0 / (m.variance + between);
    weights += weight;
    point.friction += weight * m.value;
    point.speed += weight * m.speed;
    point.samples += m.samples;
  }
  point.friction /= weights;
  point.speed /= weights;
  point.std = is_exact ? 0.0 : std::sqrt(1.0 / weights);
  return point;
}

std::vector<SpeedPoint> points_of(const AxisMotion& motion, const std::vector<SteadySection>& sections,
                                  std::size_t levels, const Gravity& gravity) {
  std::vector<Mean> all;
  for (const SteadySection& section : sections) all.push_back(section_mean(motion, section, gravity));
  // A section of one force alone, as coarse steps of it make them, would outweigh all others.
  constexpr double kRoundOff = 1e-12;
  const bool is_exact = std::any_of(
      all.begin(), all.end(), [](const Mean& m) { return !(std::sqrt(m.variance) > kRoundOff * std::abs(m.value)); });
  std::vector<SpeedPoint> points;
  for (const bool positive : {false, true}) {
    for (std::size_t level = 0; level < levels; ++level) {
      for (const SpeedStep step : {SpeedStep::rising, SpeedStep::falling}) {
        std::vector<Mean> means;
        for (std::size_t i = 0; i < sections.size(); ++i) {
          const SteadySection& section = sections[i];
          const bool belongs = section.level == level && section.step == step && (section.speed > 0.0) == positive;
          if (belongs) means.push_back(all[i]);
        }
        if (!means.empty()) points.push_back(point_of(means, step, is_exact));
      }
    }
  }
  std::stable_sort(points.begin(), points.end(), [](const auto& a, const auto& b) { return a.speed < b.speed; });
  return points;
}

}  // namespace

double Gravity::force(double position) const {
  return sine * std::sin(position) + cosine * std::cos(position) + offset;
}

CoulombLevel SpeedCurve::mean_coulomb() const {
  return {0.5 * (positive.coulomb + negative.coulomb), 0.5 * std::hypot(positive.coulomb_std, negative.coulomb_std)};
}

SpeedCurve friction_curve(const AxisRecord& record, const ConstantSpeedOptions& options) {
  const AxisMotion motion = differentiate_axis(record, options.cut_off, options.trimmed);
  std::vector<SteadySection> sections = find_steady_sections(motion, options.shortest_section);
  if (sections.empty()) {
    throw Error(ExitCode::unusable_data,
                fmt::format("{}: no section of at least {:g} s at constant speed. Record longer strokes, or less "
                            "acceleration time",
                            record.source, options.shortest_section));
  }
  const std::size_t levels = group_speeds(sections);
  mark_steps(sections);
  SpeedCurve curve;
  FittedGravity fitted;
  if (!options.gravity) fitted = fit_gravity(motion, sections, levels, options.turns, record.source);
  curve.gravity = options.gravity.value_or(fitted.gravity);
  curve.gravity.offset = options.offset.value_or(curve.gravity.offset);
  curve.offset_is_given = options.gravity || options.offset;
  curve.points = points_of(motion, sections, levels, curve.gravity);
  curve.positive = line_through(curve.points, true);
  curve.negative = line_through(curve.points, false);
  // A fitted gravity is off by about what its own offset is off, and that one was not taken.
  if (!options.gravity && options.offset) {
    for (FrictionLine* line : {&curve.positive, &curve.negative})
      line->coulomb_std = std::hypot(line->coulomb_std, fitted.offset_std);
  }
  return curve;
}

}  // namespace tauhat
