#include "tauhat/offline/friction/bristles.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tauhat {
namespace {

using Logarithms = Eigen::Vector3d;

BristleParameters parameters_of(const Logarithms& p) { return {std::exp(p[0]), 1.0 + std::exp(p[1]), std::exp(p[2])}; }

Logarithms logarithms_of(const BristleParameters& p) {
  return {std::log(p.reach), std::log(std::max(p.breakaway_ratio - 1.0, 1e-3)), std::log(p.stribeck_velocity)};
}

struct Search {
  const std::function<Eigen::VectorXd(const BristleParameters&)>& residual;

  struct Point {
    Logarithms at;
    Eigen::VectorXd residual;
    double square() const { return residual.squaredNorm(); }
  };

  Point evaluate(const Logarithms& at) const { return {at, residual(parameters_of(at))}; }

  Point descend(const Logarithms& start, int iterations) const {
    Point best = evaluate(start);
    double damping = 1e-3;
    for (int i = 0; i < iterations; ++i) {
      constexpr double kStep = 1e-4;
      Eigen::MatrixXd jacobian(best.residual.size(), 3);
      for (int j = 0; j < 3; ++j)
        jacobian.col(j) = (residual(parameters_of(best.at + kStep * Logarithms::Unit(j))) - best.residual) / kStep;
      const Eigen::Matrix3d normal = jacobian.transpose() * jacobian;
      const Eigen::Vector3d slope = jacobian.transpose() * best.residual;
      const double before = best.square();
      for (int attempt = 0; attempt < 8; ++attempt) {
        Eigen::Matrix3d damped = normal;
        damped.diagonal() *= 1.0 + damping;
        damped.diagonal().array() += 1e-12 * normal.trace();
        const Logarithms step = (-damped.ldlt().solve(slope)).cwiseMax(-1.0).cwiseMin(1.0);
        Point next = evaluate(best.at + step);
        if (next.square() < best.square()) {
          best = std::move(next);
          damping = std::max(damping / 10.0, 1e-9);
          break;
        }
        damping *= 10.0;
      }
      if (!(best.square() < before * (1.0 - 1e-7))) break;
    }
    return best;
  }
};

}  // namespace

std::vector<double> bristle_force(const BristleParameters& p, const std::vector<double>& velocity, double period) {
  // With the Coulomb level one: sigma0 = breakaway / reach, and z' = v - sigma0 |v| z / G.
  const double stiffness = p.breakaway_ratio / p.reach;
  std::vector<double> force(velocity.size());
  double z = 0.0;
  for (std::size_t k = 0; k + 1 < velocity.size(); ++k) {
    const double v = 0.5 * (velocity[k] + velocity[k + 1]), speed = std::abs(v), ratio = v / p.stribeck_velocity;
    const double level = 1.0 + (p.breakaway_ratio - 1.0) * std::exp(-ratio * ratio);
    const double decay = std::exp(-stiffness * speed * period / level), steady = (v > 0.0 ? level : -level) / stiffness;
    const double before = z;
    z = speed > 0.0 ? steady + (z - steady) * decay : z;
    force[k] = stiffness * 0.5 * (before + z);
  }
  return force;
}

BristleFit fit_bristles(const std::function<Eigen::VectorXd(const BristleParameters&)>& residual,
                        const std::vector<double>& velocity, double period, const std::vector<double>& before) {
  const Search search{residual};
  if (!before.empty()) {
    const BristleParameters last{before[2] / before[0], before[2] / before[1], before[3]};
    const auto found = search.descend(logarithms_of(last), 12);
    return {parameters_of(found.at), found.square()};
  }
  double fastest = 0.0, travel = 0.0;
  for (const double v : velocity) fastest = std::max(fastest, std::abs(v)), travel += std::abs(v) * period;
  int turns = 1;
  for (std::size_t k = 1; k < velocity.size(); ++k) turns += velocity[k] * velocity[k - 1] < 0.0;
  const double stroke = travel / turns;
  // Coarse starts over the bristles' reach, a few steps each; the best goes on.
  Search::Point best{Logarithms::Zero(), {}};
  double least = std::numeric_limits<double>::infinity();
  for (const double share : {0.002, 0.01, 0.05, 0.2}) {
    const auto point = search.descend(logarithms_of({share * stroke, 2.0, 0.3 * fastest}), 3);
    if (point.square() < least) least = point.square(), best = point;
  }
  best = search.descend(best.at, 25);
  return {parameters_of(best.at), best.square()};
}

std::vector<double> scaled_bristles(const BristleParameters& p, double level) {
  const double breakaway = level * p.breakaway_ratio;
  return {breakaway / p.reach, level, breakaway, p.stribeck_velocity};
}

}  // namespace tauhat
