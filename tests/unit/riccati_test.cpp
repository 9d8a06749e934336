// Stationary filters: against the recursions that they are the end of, and against what can be solved by hand.
#include "tauhat/core/linear/riccati.hpp"

#include <gtest/gtest.h>

#include "tauhat/core/math/discretise.hpp"

namespace tauhat {
namespace {

// a p + p a - p^2 c^2 / r + q = 0, solved by hand.
TEST(Riccati, ScalarIsTheQuadraticsRoot) {
  for (const double a : {-3.0, 0.0, 2.0}) {
    const double q = 0.7, r = 0.01, c = 2.0;
    const auto found = solve_continuous_riccati<double, 1, 1>(Matrix<double, 1>(a), Matrix<double, 1>(c),
                                                              Matrix<double, 1>(q), Vector<double, 1>(r));
    const double g = c * c / r;
    EXPECT_TRUE(found.converged);
    EXPECT_NEAR(found.covariance(0, 0), (a + std::sqrt(a * a + q * g)) / g, 1e-12);
    EXPECT_LT(found.residual, 1e-13);
  }
}

Matrix<double, 3> triple_integrator() {
  Matrix<double, 3> a = Matrix<double, 3>::Zero();
  a(0, 1) = a(1, 2) = 1.0;
  return a;
}

// The discrete equation's solution is where the filter's own recursion ends.
TEST(Riccati, DiscreteIsTheRecursionsEnd) {
  const auto step = discretise<double, 3>(triple_integrator(), {0.0, 1.0, 2.0}, 0.01);
  const Matrix<double, 3> a = step.transition.topRows<3>(), q = step.noise.topRows<3>();
  const Matrix<double, 1, 3> c(1.0, 0.0, 0.0);
  const double r = 1e-4;
  const auto found = solve_discrete_riccati<double, 3, 1>(a, c, q, Vector<double, 1>(r));
  Matrix<double, 3> p = Matrix<double, 3>::Identity();
  for (int k = 0; k < 20000; ++k) {
    const Matrix<double, 3, 1> gain = p * c.transpose() / ((c * p * c.transpose())(0, 0) + r);
    p = Matrix<double, 3>(a * (p - gain * c * p) * a.transpose() + q);
  }
  EXPECT_TRUE(found.converged);
  EXPECT_TRUE(found.covariance.isApprox(p, 1e-9));
  EXPECT_LT(found.residual, 1e-12);
}

// Sampled ever faster, with the same densities, the discrete filter becomes the continuous one.
TEST(Riccati, ContinuousIsTheLimitOfDiscrete) {
  const Matrix<double, 3> a = triple_integrator(), q = Vector<double, 3>(0.0, 1.0, 1.0).asDiagonal();
  const Matrix<double, 1, 3> c(1.0, 0.0, 0.0);
  const Vector<double, 1> r(1e-4);
  const auto continuous = solve_continuous_riccati<double, 3, 1>(a, c, q, r);
  const double dt = 1e-6;
  const auto step = discretise<double, 3>(a, q.diagonal(), dt);
  const auto discrete = solve_discrete_riccati<double, 3, 1>(step.transition.topRows<3>(), c, step.noise.topRows<3>(),
                                                             Vector<double, 1>(r / dt));
  EXPECT_TRUE(continuous.covariance.isApprox(discrete.covariance, 1e-4));
}

// A state that is not seen and does not decay has no stationary filter.
TEST(Riccati, SaysWhenThereIsNone) {
  const Matrix<double, 2> a = Matrix<double, 2>::Zero(), q = Matrix<double, 2>::Identity();
  const auto found =
      solve_continuous_riccati<double, 2, 1>(a, Matrix<double, 1, 2>(1.0, 0.0), q, Vector<double, 1>(1.0));
  EXPECT_FALSE(found.converged && found.residual < 1e-9);
}

}  // namespace
}  // namespace tauhat
