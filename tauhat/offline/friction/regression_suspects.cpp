#include "tauhat/offline/friction/regression_suspects.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "tauhat/offline/friction/long_run_covariance.hpp"
#include "tauhat/offline/signal/differentiate.hpp"

namespace tauhat {
namespace {

using Eigen::Index;
using Eigen::VectorXd;
using Values = std::vector<double>;

double sign_of(double v) { return v > 0.0 ? 1.0 : v < 0.0 ? -1.0 : 0.0; }

// The sum of some of the model's columns, as they were fitted.
template <class Which>
Values fitted_part(const std::vector<RegressionColumn>& columns, const VectorXd& parameters, const Which& is_in) {
  Values sum(columns.front().values.size(), 0.0);
  for (std::size_t j = 0; j < columns.size(); ++j) {
    if (!is_in(columns[j])) continue;
    for (std::size_t k = 0; k < sum.size(); ++k) sum[k] += parameters[static_cast<Index>(j)] * columns[j].values[k];
  }
  return sum;
}

VectorXd in_time(const VectorXd& samples, const FitRemains& remains) {
  VectorXd all = VectorXd::Zero(remains.all_rows);
  for (std::size_t i = 0; i < remains.rows.size(); ++i) all[remains.rows[i]] = samples[static_cast<Index>(i)];
  return all;
}

}  // namespace

std::vector<SuspectColumn> suspect_columns(const AxisMotion& motion, FrictionShape friction, bool gravity,
                                           bool torque_dependent, const VectorXd& parameters) {
  const auto columns = regression_columns(motion, friction, gravity);
  const Values load = fitted_part(columns, parameters, [](const RegressionColumn& c) { return c.is_load; });
  const Values sliding = fitted_part(columns, parameters, [](const RegressionColumn& c) {
    return c.name.starts_with("friction.") && c.name != "friction.offset";
  });
  // Where the axis turns Coulomb friction jumps, and nothing is counted.
  const Values smooth = fitted_part(columns, parameters, [](const RegressionColumn& c) {
    return c.is_load || c.name.starts_with("friction.viscous");
  });
  const Values rate = differentiate(smooth, motion.period);
  double fastest = 0.0;
  for (const double v : motion.velocity) fastest = std::max(fastest, std::abs(v));
  const double bump_speed = std::max(0.1 * fastest, 1e-300);
  const double duration = std::max(static_cast<double>(motion.velocity.size() - 1), 1.0);

  std::vector<SuspectColumn> suspects;
  const auto add = [&](const std::string& name, const char* unit, const auto& value_at) {
    Values values(motion.velocity.size());
    for (std::size_t k = 0; k < values.size(); ++k) values[k] = value_at(k);
    suspects.push_back({name, unit, std::move(values)});
  };
  const Values& v = motion.velocity;
  add("axis.force.delay", "s", [&](std::size_t k) { return -rate[k]; });
  add("friction.bump", "N m", [&](std::size_t k) { return sign_of(v[k]) * std::exp(-std::abs(v[k]) / bump_speed); });
  add("friction.bend", "N m s^2/rad^2", [&](std::size_t k) { return v[k] * std::abs(v[k]); });
  if (friction == FrictionShape::symmetric)
    add("friction.asymmetry", "N m s/rad", [&](std::size_t k) { return std::abs(v[k]); });
  if (!torque_dependent) add("friction.load", "1", [&](std::size_t k) { return std::abs(load[k]) * sign_of(v[k]); });
  // Of a screw, a rack, a cable: so many waves over the travel.
  const auto [lowest, highest] = std::minmax_element(motion.position.begin(), motion.position.end());
  const double travel = std::max(*highest - *lowest, 1e-300);
  constexpr int kMostWaves = 5;
  for (int waves = 1; waves <= kMostWaves; ++waves) {
    const double wave = 2.0 * std::numbers::pi * waves / travel;
    const std::string name = fmt::format("force.position.{}", waves);
    add(name + ".sine", "N m", [&](std::size_t k) { return std::sin(wave * (motion.position[k] - *lowest)); });
    add(name + ".cosine", "N m", [&](std::size_t k) { return std::cos(wave * (motion.position[k] - *lowest)); });
  }
  add("friction.drift", "1", [&](std::size_t k) { return sliding[k] * (static_cast<double>(k) / duration - 0.5); });
  return suspects;
}

Suspect try_suspect(const FitRemains& remains, const SuspectColumn& suspect, const VectorXd& column) {
  Suspect found{.name = suspect.name, .unit = suspect.unit, .shift = VectorXd::Zero(remains.regressor.cols())};
  const VectorXd weighted = remains.weights.cwiseProduct(column);
  const VectorXd follows = remains.inverse * (remains.regressor.transpose() * weighted);
  const VectorXd left = weighted - remains.regressor * follows;
  found.told_apart = left.squaredNorm() / std::max(weighted.squaredNorm(), 1e-300);
  // What is left of it is round-off, or the fitted parameters'.
  constexpr double kTooLittle = 1e-4;
  if (!(found.told_apart > kTooLittle)) return found;
  const VectorXd errors = remains.weights.cwiseProduct(remains.residual);
  found.change = left.dot(errors) / left.squaredNorm();
  const VectorXd unexplained = errors - found.change * left;
  const LongRun scatter = long_run(in_time(left.cwiseProduct(unexplained), remains));
  const double freedom = long_run_freedom(in_time(left, remains).cwiseAbs2(), scatter.bandwidth);
  constexpr double kFewestFreedom = 5.0;
  if (freedom < kFewestFreedom) return found;
  const double t = left.dot(errors) / std::sqrt(scatter.covariance(0, 0));
  found.z = normal_equivalent(t, freedom);
  found.shift = -found.change * follows;
  return found;
}

}  // namespace tauhat
