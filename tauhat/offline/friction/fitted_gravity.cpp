#include "tauhat/offline/friction/fitted_gravity.hpp"

#include <fmt/format.h>

#include <cmath>

#include "tauhat/offline/error.hpp"

namespace tauhat {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

Index gravity_terms(bool turns) { return turns ? 3 : 1; }

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

}  // namespace

VectorXd FittedGravity::row(const SteadySection& section, double position) const {
  const Index shape = gravity_terms(turns);
  VectorXd row = VectorXd::Zero(shape + static_cast<Index>(levels));
  row[0] = 1.0;
  if (turns) row.segment(1, 2) << std::sin(position), std::cos(position);
  row[shape + static_cast<Index>(section.level)] = section.speed > 0.0 ? 1.0 : -1.0;
  return row;
}

FittedGravity fit_gravity(const AxisMotion& motion, const std::vector<SteadySection>& sections, std::size_t levels,
                          bool turns, const std::string& source) {
  FittedGravity fitted{.gravity = {}, .turns = turns, .levels = levels, .by_row = {}};
  const Index shape = gravity_terms(turns), terms = shape + static_cast<Index>(levels);
  MatrixXd gram = MatrixXd::Zero(terms, terms);
  VectorXd product = VectorXd::Zero(terms);
  for (const SteadySection& section : sections) {
    for (std::size_t k = section.first; k < section.last; ++k) {
      const VectorXd row = fitted.row(section, motion.position[k]);
      gram += row * row.transpose();
      product += motion.force[k] * row;
    }
  }
  require_separable(gram, turns, source);
  fitted.by_row = MatrixXd::Zero(3, terms);
  fitted.by_row.topRows(shape) = gram.inverse().topRows(shape);
  const Eigen::Vector3d found = fitted.by_row * product;
  fitted.gravity = {found[1], found[2], found[0]};
  return fitted;
}

}  // namespace tauhat
