#include "tauhat/offline/identify/shooting.hpp"

#include <fmt/format.h>

#include "tauhat/offline/error.hpp"
#include "tauhat/offline/identify/shooting_room.hpp"
#include "tauhat/offline/identify/shooting_width.hpp"

namespace tauhat {
namespace {

std::size_t index_of_parameter(const ShootingProblem& problem, const std::string& name) {
  for (std::size_t i = 0; i < problem.parameters.size(); ++i) {
    if (problem.parameters[i].name == name) return i;
  }
  throw Error(ExitCode::wrong_use, fmt::format("{} is not among the fitted parameters", name));
}

}  // namespace

double ShootingFit::value_of(const ShootingProblem& problem, const std::string& name) const {
  return value[index_of_parameter(problem, name)];
}

double ShootingFit::std_of(const ShootingProblem& problem, const std::string& name) const {
  const auto i = static_cast<Eigen::Index>(index_of_parameter(problem, name));
  return std::sqrt(std::max(covariance(i, i), 0.0));
}

double ShootingFit::std_of_sum(const ShootingProblem& problem, double a, const std::string& first, double b,
                               const std::string& second) const {
  const auto i = static_cast<Eigen::Index>(index_of_parameter(problem, first));
  const auto j = static_cast<Eigen::Index>(index_of_parameter(problem, second));
  return std::sqrt(std::max(a * a * covariance(i, i) + b * b * covariance(j, j) + 2.0 * a * b * covariance(i, j), 0.0));
}

ShootingFit fit_by_shooting(ShootingProblem problem) {
  const std::size_t locals = local_directions(problem.position_is_local);
  const std::size_t directions = problem.parameters.size() + locals;
  if (directions <= 8) return solve_with_8_directions(problem);
  if (directions <= kMostDirections) return solve_with_16_directions(problem);
  throw Error(ExitCode::wrong_use, fmt::format("{} parameters are to be fitted; at most {} can be",
                                               problem.parameters.size(), kMostDirections - locals));
}

}  // namespace tauhat
