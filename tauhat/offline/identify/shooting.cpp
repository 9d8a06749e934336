#include "tauhat/offline/identify/shooting.hpp"

#include <fmt/format.h>

#include "tauhat/core/transmission/linear_spring.hpp"
#include "tauhat/core/transmission/stiffening_spring.hpp"
#include "tauhat/offline/error.hpp"
#include "tauhat/offline/identify/shooting_solver.hpp"

namespace tauhat {
namespace {

template <int Width>
ShootingFit solve(ShootingProblem& problem) {
  switch (problem.law) {
    case ShootingLaw::linear_spring: return ShootingSolver<Width, LinearSpring>(problem).solve();
    case ShootingLaw::stiffening_spring: return ShootingSolver<Width, StiffeningSpring>(problem).solve();
    case ShootingLaw::dead_zone: break;
  }
  return ShootingSolver<Width, DeadZone>(problem).solve();
}

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

ShootingFit fit_by_shooting(ShootingProblem problem) {
  const std::size_t directions = problem.parameters.size() + (problem.position_is_local ? 4 : 3);
  if (directions <= 8) return solve<8>(problem);
  if (directions <= 16) return solve<16>(problem);
  throw Error(ExitCode::wrong_use, fmt::format("{} parameters are to be fitted; at most 12 can be", problem.parameters.size()));
}

}  // namespace tauhat
