// Laws through points of friction over velocity.
#include "tauhat/offline/friction/curve_fit.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace tauhat {
namespace {

FrictionCurve curve_of(const FittedLaw& law, double offset = 0.0) {
  FrictionCurve curve;
  for (int i = 1; i <= 400; ++i) {
    for (const double v : {-0.005 * i, 0.005 * i})
      curve.velocity.push_back(v), curve.friction.push_back(law.steady_force(v) + offset);
  }
  return curve;
}

const FittedLaw kStribeck{LawKind::gaussian_viscous, {0.8, 0.4, 0.3}, {1.0 / 0.15, 0.0}};

TEST(CurveFit, FindsTheLawThatMadeThePoints) {
  const LawFit fit = fit_curve(LawKind::gaussian_viscous, curve_of(kStribeck), false);
  ASSERT_TRUE(fit.separable) << fit.why;
  EXPECT_NEAR(fit.law.coefficients[0], 0.8, 1e-4);
  EXPECT_NEAR(fit.law.coefficients[1], 0.4, 1e-4);
  EXPECT_NEAR(fit.law.coefficients[2], 0.3, 1e-4);
  EXPECT_NEAR(fit.law.shape.fall * 0.15, 1.0, 1e-3);
}

TEST(CurveFit, TellsAConstantForceFromFriction) {
  const FrictionCurve curve = curve_of(kStribeck, 0.25);
  const LawFit fit = fit_curve(LawKind::gaussian_viscous, curve, true);
  EXPECT_NEAR(fit.offset, 0.25, 1e-6);
  EXPECT_NEAR(fit.law.coefficients[0], 0.8, 1e-4);
  // Without it the constant force is left over.
  EXPECT_NEAR(std::sqrt(fit_curve(LawKind::gaussian_viscous, curve, false).variance), 0.25, 0.01);
}

TEST(CurveFit, PutsTheLawThatMadeThePointsFirst) {
  EXPECT_EQ(fit_all_curves(curve_of(kStribeck), false).front().law.kind, LawKind::gaussian_viscous);
  const FittedLaw coulomb{LawKind::coulomb_viscous, {0.8, 0.3}, {}};
  FrictionCurve curve = curve_of(coulomb);
  // Without some noise all laws that contain this one fit it exactly.
  for (std::size_t i = 0; i < curve.friction.size(); ++i) curve.friction[i] += 0.01 * std::sin(1e3 * curve.velocity[i]);
  EXPECT_EQ(fit_all_curves(curve, false).front().law.kind, LawKind::coulomb_viscous);
}

TEST(CurveFit, HasNothingToSayOfFewPoints) { EXPECT_TRUE(fit_all_curves({{1.0, -1.0}, {0.8, -0.8}}, false).empty()); }

TEST(CurveFit, LeavesSlowPointsOutAndThinsTheRest) {
  BlindSmoothing blind;
  for (int k = 0; k < 20000; ++k) {
    blind.velocity.value.push_back(k % 2 == 0 ? 0.01 : 1.0);
    blind.friction.value.push_back(k);
  }
  const FrictionCurve curve = moving_curve(blind, 0.1);
  EXPECT_LE(curve.velocity.size(), 4000U);
  EXPECT_GT(curve.velocity.size(), 3000U);
  for (const double v : curve.velocity) EXPECT_EQ(v, 1.0);
}

}  // namespace
}  // namespace tauhat
