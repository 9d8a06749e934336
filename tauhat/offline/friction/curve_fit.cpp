#include "tauhat/offline/friction/curve_fit.hpp"

#include <Eigen/Dense>

#include <algorithm>
#include <cmath>

#include "tauhat/offline/friction/linear_fit.hpp"
#include "tauhat/offline/friction/shape_search.hpp"

namespace tauhat {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

// One row a point; a constant force last, where it is unknown.
MatrixXd regressor(LawKind kind, const FrictionCurve& curve, LawShape shape, bool with_offset) {
  const auto own = static_cast<Index>(columns_at(kind, 0.0, shape).count);
  MatrixXd a = MatrixXd::Ones(static_cast<Index>(curve.velocity.size()), own + (with_offset ? 1 : 0));
  for (Index i = 0; i < a.rows(); ++i) {
    const ForceColumns columns = columns_at(kind, curve.velocity[static_cast<std::size_t>(i)], shape);
    for (Index j = 0; j < own; ++j) a(i, j) = columns.value[static_cast<std::size_t>(j)];
  }
  return a;
}

}  // namespace

FrictionCurve moving_curve(const BlindSmoothing& blind, double slowest) {
  constexpr std::size_t kMostPoints = 4000;
  FrictionCurve all;
  for (std::size_t k = 0; k < blind.velocity.value.size(); ++k) {
    if (std::abs(blind.velocity.value[k]) < slowest) continue;
    all.velocity.push_back(blind.velocity.value[k]), all.friction.push_back(blind.friction.value[k]);
  }
  const std::size_t every = 1 + all.velocity.size() / kMostPoints;
  FrictionCurve some;
  for (std::size_t k = 0; k < all.velocity.size(); k += every)
    some.velocity.push_back(all.velocity[k]), some.friction.push_back(all.friction[k]);
  return some;
}

double off_curve(const FittedLaw& law, double offset, const FrictionCurve& curve) {
  double square = 0.0;
  for (std::size_t i = 0; i < curve.velocity.size(); ++i)
    square += std::pow(curve.friction[i] - offset - law.steady_force(curve.velocity[i]), 2);
  return square / std::max(static_cast<double>(curve.velocity.size()), 1.0);
}

LawFit fit_curve(LawKind kind, const FrictionCurve& curve, bool offset_unknown) {
  const bool with_offset = has_own_offset(kind, offset_unknown);
  const Eigen::Map<const VectorXd> friction(curve.friction.data(), static_cast<Index>(curve.friction.size()));
  const auto fit_with = [&](LawShape shape) {
    return fit_linearly(regressor(kind, curve, shape, with_offset), friction);
  };
  LawFit fit;
  fit.law.kind = kind;
  const double fastest = std::max(largest_speed(curve.velocity), 1e-300);
  fit.law.shape = best_shape(kind, [&](LawShape shape) { return fit_with(shape).square; }, fastest, {});
  // A sign that turns over a range slower than all points is not told from a hard one: the narrowest that is smooth,
  // and a little more for the rounding.
  if (has_width(kind)) fit.law.shape.width = std::max(fit.law.shape.width, 1.01 * kNarrowest * fastest);
  const LinearFit found = fit_with(fit.law.shape);
  const auto points = static_cast<double>(friction.size());
  fit.variance = found.square / points;
  const auto own = found.coefficients.size() - (with_offset ? 1 : 0);
  if (with_offset) fit.offset = found.coefficients[own];
  fit.law.coefficients.assign(found.coefficients.data(), found.coefficients.data() + own);
  fit.bic =
      points * std::log(std::max(fit.variance, 1e-300)) + fitted_parameters(fit.law, offset_unknown) * std::log(points);
  fit.why = fit.law.why_impossible(fastest);
  fit.separable = found.separable && std::isfinite(fit.bic) && fit.why.empty();
  return fit;
}

std::vector<LawFit> fit_all_curves(const FrictionCurve& curve, bool offset_unknown) {
  constexpr std::size_t kFewestPoints = 20;
  if (curve.velocity.size() < kFewestPoints) return {};
  std::vector<LawFit> fits;
  for (const LawKind kind : kLawKinds) {
    if (kind != LawKind::lugre) fits.push_back(fit_curve(kind, curve, offset_unknown));
  }
  std::erase_if(fits, [](const LawFit& fit) { return !fit.separable; });
  std::stable_sort(fits.begin(), fits.end(), [](const LawFit& a, const LawFit& b) { return a.bic < b.bic; });
  return fits;
}

}  // namespace tauhat
