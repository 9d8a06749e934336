#include "tauhat/offline/friction/constant_speed.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tauhat/offline/error.hpp"
#include "tauhat/offline/friction/long_run_covariance.hpp"

namespace tauhat {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double kSlowest = 0.01;    // of the highest speed: below it the axis rests
constexpr double kSteady = 0.02;     // of the largest acceleration
constexpr double kAboveNoise = 5.0;  // deviations

// Samples [first, last) of the trimmed motion.
struct Section {
  std::size_t first, last;
  double speed = 0.0;
  std::size_t level = 0;  // sections of one level have one speed, whatever its sign
  SpeedStep step = SpeedStep::rising;

  std::size_t size() const noexcept { return last - first; }
};

double largest_size(const std::vector<double>& values) {
  double largest = 0.0;
  for (const double value : values) largest = std::max(largest, std::abs(value));
  return largest;
}

// Change of speed over `width` samples about each, which has far less noise than the acceleration.
std::vector<double> mean_acceleration(const AxisMotion& motion, std::size_t width) {
  std::vector<double> mean(motion.size());
  for (std::size_t k = 0; k < motion.size(); ++k) {
    const std::size_t first = k - std::min(k, width / 2), last = std::min(k + width / 2, motion.size() - 1);
    mean[k] = (motion.velocity[last] - motion.velocity[first]) / (static_cast<double>(last - first) * motion.period);
  }
  return mean;
}

double mean_of(const std::vector<double>& values, const Section& section) {
  double sum = 0.0;
  for (std::size_t k = section.first; k < section.last; ++k) sum += values[k];
  return sum / static_cast<double>(section.size());
}

std::vector<Section> find_sections(const AxisMotion& motion, double shortest) {
  const auto fewest = std::max<std::size_t>(4, static_cast<std::size_t>(shortest / motion.period));
  const std::size_t width = fewest / 2;
  const std::vector<double> acceleration = mean_acceleration(motion, width);
  const double noise = std::sqrt(2.0) * motion.velocity_noise / (static_cast<double>(width) * motion.period);
  const double steady = std::max(kSteady * largest_size(acceleration), kAboveNoise * noise);
  const double slowest = std::max(kSlowest * largest_size(motion.velocity), kAboveNoise * motion.velocity_noise);
  const auto runs = [&](std::size_t k) {
    return std::abs(acceleration[k]) <= steady && std::abs(motion.velocity[k]) >= slowest;
  };
  std::vector<Section> sections;
  std::size_t first = 0;
  for (std::size_t k = 0; k <= motion.size(); ++k) {
    if (k < motion.size() && runs(k)) continue;
    if (k - first >= fewest) sections.push_back({.first = first, .last = k});
    first = k + 1;
  }
  for (Section& section : sections) section.speed = mean_of(motion.velocity, section);
  return sections;
}

// Speeds that differ by a few percent are one level; levels count from the slowest.
std::size_t group_speeds(std::vector<Section>& sections) {
  std::vector<Section*> ordered;
  for (Section& section : sections) ordered.push_back(&section);
  std::sort(ordered.begin(), ordered.end(),
            [](const Section* a, const Section* b) { return std::abs(a->speed) < std::abs(b->speed); });
  std::size_t level = 0;
  double lowest = std::abs(ordered.front()->speed);
  for (Section* section : ordered) {
    if (std::abs(section->speed) > (1.0 + kSameSpeed) * lowest) {
      ++level;
      lowest = std::abs(section->speed);
    }
    section->level = level;
  }
  return level + 1;
}

// Rising, where the last other level of this direction was lower; before the first step, as that step goes.
void mark_steps(std::vector<Section>& sections, bool positive) {
  std::vector<Section*> way;
  for (Section& section : sections) {
    if ((section.speed > 0.0) == positive) way.push_back(&section);
  }
  for (std::size_t i = 1; i < way.size(); ++i) {
    const std::size_t before = way[i - 1]->level, now = way[i]->level;
    way[i]->step = now == before ? way[i - 1]->step : now > before ? SpeedStep::rising : SpeedStep::falling;
  }
  const auto differs = [&](const Section* section) { return section->level != way.front()->level; };
  const auto changed = std::find_if(way.begin(), way.end(), differs);
  if (changed == way.end()) return;
  std::for_each(way.begin(), changed, [&](Section* section) { section->step = (*changed)->step; });
}

// force = sine sin(q) + cosine cos(q) + offset + friction(level) sign(v), by least squares over all sections.
Gravity fit_gravity(const AxisMotion& motion, const std::vector<Section>& sections, std::size_t levels, bool turns,
                    const std::string& source) {
  const Index shape = turns ? 3 : 1, terms = shape + static_cast<Index>(levels);
  MatrixXd gram = MatrixXd::Zero(terms, terms);
  VectorXd product = VectorXd::Zero(terms);
  for (const Section& section : sections) {
    VectorXd row = VectorXd::Zero(terms);
    row[shape + static_cast<Index>(section.level)] = section.speed > 0.0 ? 1.0 : -1.0;
    row[0] = 1.0;
    for (std::size_t k = section.first; k < section.last; ++k) {
      if (turns) row.segment(1, 2) << std::sin(motion.position[k]), std::cos(motion.position[k]);
      gram += row * row.transpose();
      product += motion.force[k] * row;
    }
  }
  const VectorXd scale = gram.diagonal().cwiseSqrt().cwiseInverse();
  const Eigen::SelfAdjointEigenSolver<MatrixXd> scaled(scale.asDiagonal() * gram * scale.asDiagonal());
  constexpr double kSingular = 1e-4;  // as in the regression: a direction shorter than one percent
  if (scaled.eigenvalues()[0] < kSingular) {
    throw Error(ExitCode::unusable_data,
                fmt::format("{}: {} cannot be told from friction: record the same speeds and positions in both "
                            "directions{}, or give {}",
                            source, turns ? "gravity" : "the offset", turns ? " over a longer stroke" : "",
                            turns ? "gravity" : "the offset"));
  }
  const VectorXd found = gram.ldlt().solve(product);
  return turns ? Gravity{found[1], found[2], found[0]} : Gravity{0.0, 0.0, found[0]};
}

struct Mean {
  double value, variance, speed;
  std::size_t samples;
};

Mean section_mean(const AxisMotion& motion, const Section& section, const Gravity& gravity) {
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

SpeedPoint point_of(std::vector<Mean> means, SpeedStep step) {
  // A record without noise: equal weights.
  const bool exact = std::any_of(means.begin(), means.end(), [](const Mean& m) { return !(m.variance > 0.0); });
  for (Mean& m : means) m.variance = exact ? std::numeric_limits<double>::min() : m.variance;
  const double between = exact ? 0.0 : variance_between(means);
  SpeedPoint point{.sections = means.size(), .step = step};
  double weights = 0.0;
  for (const Mean& m : means) {
    const double weight = exact ? 1.0 : 1.0 / (m.variance + between);
    weights += weight;
    point.friction += weight * m.value;
    point.speed += weight * m.speed;
    point.samples += m.samples;
  }
  point.friction /= weights;
  point.speed /= weights;
  point.std = exact ? 0.0 : std::sqrt(1.0 / weights);
  return point;
}

std::vector<SpeedPoint> points_of(const AxisMotion& motion, const std::vector<Section>& sections, std::size_t levels,
                                  const Gravity& gravity) {
  std::vector<SpeedPoint> points;
  for (const bool positive : {false, true}) {
    for (std::size_t level = 0; level < levels; ++level) {
      for (const SpeedStep step : {SpeedStep::rising, SpeedStep::falling}) {
        std::vector<Mean> means;
        for (const Section& section : sections) {
          const bool belongs = section.level == level && section.step == step && (section.speed > 0.0) == positive;
          if (belongs) means.push_back(section_mean(motion, section, gravity));
        }
        if (!means.empty()) points.push_back(point_of(std::move(means), step));
      }
    }
  }
  std::stable_sort(points.begin(), points.end(), [](const auto& a, const auto& b) { return a.speed < b.speed; });
  return points;
}

// Weighted least squares; where the points scatter more than their deviations say, these are too small (Birge 1932).
FrictionLine line_through(const std::vector<SpeedPoint>& points, bool positive) {
  std::vector<SpeedPoint> way;
  for (const SpeedPoint& point : points) {
    if ((point.speed > 0.0) == positive) way.push_back(point);
  }
  FrictionLine line;
  const auto differs = [&](const SpeedPoint& p) {
    return std::abs(p.speed - way.front().speed) > kSameSpeed * std::abs(p.speed);
  };
  if (way.empty()) {
    line.why = "no constant speed in this direction: record both directions";
  } else if (std::none_of(way.begin(), way.end(), differs)) {
    line.why = "only one speed: viscous and coulomb friction cannot be told apart; record several speeds";
  }
  if (!line.why.empty()) return line;
  const auto count = static_cast<Index>(way.size());
  MatrixXd regressor(count, 2);
  VectorXd friction(count);
  for (Index i = 0; i < count; ++i) {
    const SpeedPoint& point = way[static_cast<std::size_t>(i)];
    const double weight = point.std > 0.0 ? 1.0 / point.std : 1.0;
    regressor.row(i) << weight, weight * std::abs(point.speed);
    friction[i] = weight * (positive ? point.friction : -point.friction);
  }
  const Eigen::Matrix2d inverse = (regressor.transpose() * regressor).inverse();
  const Eigen::Vector2d found = inverse * (regressor.transpose() * friction);
  const double freedom = static_cast<double>(count) - 2.0;
  const double birge = freedom > 0.0 ? (friction - regressor * found).squaredNorm() / freedom : 1.0;
  const double inflated = way.front().std > 0.0 ? std::max(1.0, birge) : birge;
  return {found[0], found[1], std::sqrt(inflated * inverse(0, 0)), std::sqrt(inflated * inverse(1, 1)), true, {}};
}

}  // namespace

double Gravity::force(double position) const {
  return sine * std::sin(position) + cosine * std::cos(position) + offset;
}

FrictionCurve friction_curve(const AxisRecord& record, const ConstantSpeedOptions& options) {
  const AxisMotion motion = differentiate_axis(record, options.cut_off, options.trimmed);
  std::vector<Section> sections = find_sections(motion, options.shortest_section);
  if (sections.empty()) {
    throw Error(ExitCode::unusable_data,
                fmt::format("{}: no section of at least {:g} s at constant speed. Record longer strokes, or less "
                            "acceleration time",
                            record.source, options.shortest_section));
  }
  const std::size_t levels = group_speeds(sections);
  mark_steps(sections, true);
  mark_steps(sections, false);
  FrictionCurve curve;
  curve.gravity =
      options.gravity ? *options.gravity : fit_gravity(motion, sections, levels, options.turns, record.source);
  curve.points = points_of(motion, sections, levels, curve.gravity);
  curve.positive = line_through(curve.points, true);
  curve.negative = line_through(curve.points, false);
  return curve;
}

}  // namespace tauhat
