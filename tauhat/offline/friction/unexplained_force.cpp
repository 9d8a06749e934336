#include "tauhat/offline/friction/unexplained_force.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "tauhat/offline/friction/identify_friction.hpp"
#include "tauhat/offline/friction/slow_observer.hpp"

namespace tauhat {
namespace {

using Eigen::Index;
using Eigen::VectorXd;

// How long the blind smoother takes to follow a change of the friction: a random walk of intensity s, seen through a
// position of noise R a sample,  tau = (R dt M^2 / s^2)^(1/6);  through a velocity,  (R dt M^2 / s^2)^(1/4).
double following_time(const FrictionFit& fit) {
  const Timeline::Sensor& sensor = observed_sensor(fit.timeline);
  const double density = sensor.variance * fit.timeline.median_interval();
  const double walk = std::pow(fit.blind_options.intensity / fit.axis.mass, 2);
  const double power = sensor.output == Axis<double>::velocity_output ? 0.25 : 1.0 / 6.0;
  return std::pow(density / std::max(walk, 1e-300), power);
}

struct Stretch {
  std::size_t first, last;  // samples [first, last)
};

// Sliding one way, but for what the smoother makes of its ends; cut into pieces.
std::vector<Stretch> stretches_of(const FrictionFit& fit) {
  constexpr double kSettled = 3.0, kShortest = 10.0;  // times of following
  constexpr std::size_t kMostPieces = 8;
  const double samples = following_time(fit) / fit.timeline.median_interval();
  const auto margin = static_cast<std::size_t>(kSettled * samples) + 1;
  const auto shortest = static_cast<std::size_t>(kShortest * samples) + 1;
  const std::vector<double>& v = fit.blind.velocity.value;
  std::vector<Stretch> found;
  for (std::size_t first = 0; first < v.size();) {
    std::size_t last = first;
    while (last < v.size() && std::abs(v[last]) > fit.clearly_moving() && v[last] * v[first] > 0.0) ++last;
    if (last > first + 2 * margin + shortest) {
      const std::size_t from = first + margin, length = last - margin - from;
      const std::size_t pieces = std::min(kMostPieces, length / shortest);
      for (std::size_t i = 0; i < pieces; ++i)
        found.push_back({from + i * length / pieces, from + (i + 1) * length / pieces});
    }
    first = std::max(last, first + 1);
  }
  return found;
}

}  // namespace

UnexplainedForce unexplained_force(const FrictionFit& fit) {
  const std::vector<double>&blind = fit.blind.friction.value, &law = fit.parametric.smoothed_friction.value;
  const Track& v = fit.blind.velocity;
  UnexplainedForce found;
  double beyond = 0.0, over_noise = 0.0, square = 0.0;
  for (const Stretch& stretch : stretches_of(fit)) {
    const std::size_t end = stretch.last - 1;
    const auto count = static_cast<double>(stretch.last - stretch.first);
    const double time = fit.timeline.time[end] - fit.timeline.time[stretch.first];
    const double std = fit.axis.mass * std::hypot(v.std[stretch.first], v.std[end]) / time;
    const bool tells_a_mean = time > 0.0 && std > 0.0;  // one sample does not
    if (!tells_a_mean) continue;
    double off = 0.0, speed = 0.0;
    for (std::size_t k = stretch.first; k < stretch.last; ++k) {
      off += (blind[k] - law[k]) / count, speed += v.value[k] / count;
      square += blind[k] * blind[k] / count;
    }
    beyond += off * off - std * std, over_noise += off * off / (std * std);
    found.velocity.push_back(speed);
  }
  const auto stretches = static_cast<double>(found.velocity.size());
  if (found.velocity.empty() || !(square > 0.0)) return found;
  found.size = std::sqrt(std::max(beyond, 0.0) / stretches);
  found.share = found.size / std::sqrt(square / stretches);
  found.over_noise = std::sqrt(over_noise / stretches);
  return found;
}

Eigen::MatrixXd spread_by_unexplained(const FrictionFit& fit, const UnexplainedForce& unexplained) {
  const auto count = static_cast<Index>(fit.parametric.parameters.size());
  const auto stretches = static_cast<Index>(unexplained.velocity.size());
  Eigen::MatrixXd gradient(stretches, count + 1);
  for (Index j = 0; j < stretches; ++j) {
    const double v = unexplained.velocity[static_cast<std::size_t>(j)];
    gradient.row(j).head(count) = fit.steady_gradient(v).transpose();
    gradient(j, count) = fit.parametric.offset.std > 0.0 ? 1.0 : 0.0;
  }
  // A parameter that does not show in sliding owes nothing to it.
  const VectorXd length = gradient.colwise().norm();
  const VectorXd scale = (length.array() > 0.0).select(length.cwiseMax(1e-300).cwiseInverse(), 0.0);
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> gram(scale.asDiagonal() * (gradient.transpose() * gradient) *
                                                            scale.asDiagonal());
  constexpr double kHidden = 1e-6;
  const VectorXd inverse =
      (gram.eigenvalues().array() > kHidden).select(gram.eigenvalues().cwiseMax(kHidden).cwiseInverse(), 0.0);
  const Eigen::MatrixXd directions = scale.asDiagonal() * gram.eigenvectors();
  constexpr double kOfRectangle = 3.0;
  return unexplained.size * unexplained.size * static_cast<double>(stretches) / kOfRectangle * directions *
         inverse.asDiagonal() * directions.transpose();
}

}  // namespace tauhat
