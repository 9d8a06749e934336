// The core's hyperbolic tangent against the standard library's, in both scalar types, and its derivative.
#include "tauhat/core/math/tangent.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace tauhat {
namespace {

template <class T>
void expect_close_everywhere(double units) {
  const double epsilon = static_cast<double>(std::numeric_limits<T>::epsilon());
  for (double x = 1e-12; x < 400.0; x *= 1.003) {
    for (const T at : {static_cast<T>(x), static_cast<T>(-x)}) {
      const double truth = std::tanh(static_cast<double>(at));
      EXPECT_NEAR(static_cast<double>(hyperbolic_tangent(at)), truth, units * epsilon * std::abs(truth)) << at;
    }
  }
}

TEST(HyperbolicTangent, IsExactToAFewUnitsInTheLastPlace) {
  expect_close_everywhere<double>(3.0);
  expect_close_everywhere<float>(3.0);
}

TEST(HyperbolicTangent, KeepsZeroInfinityAndNotANumber) {
  const double infinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ(hyperbolic_tangent(0.0), 0.0);
  EXPECT_EQ(hyperbolic_tangent(infinity), 1.0);
  EXPECT_EQ(hyperbolic_tangent(-infinity), -1.0);
  EXPECT_TRUE(std::isnan(hyperbolic_tangent(std::numeric_limits<double>::quiet_NaN())));
}

// The two formulas meet at one half.
TEST(HyperbolicTangent, HasNoStepWhereTheFormulaChanges) {
  EXPECT_NEAR(hyperbolic_tangent(std::nextafter(0.5, 0.0)), hyperbolic_tangent(0.5), 4e-16);
}

TEST(HyperbolicTangent, CarriesItsDerivative) {
  for (const double x : {-2.0, -0.3, 0.0, 0.1, 0.7}) {
    Dual<double, 1> dual(x, Eigen::Matrix<double, 1, 1>(1.0));
    const auto y = hyperbolic_tangent(dual);
    EXPECT_DOUBLE_EQ(y.value(), hyperbolic_tangent(x));
    EXPECT_NEAR(y.derivatives()[0], 1.0 - std::tanh(x) * std::tanh(x), 1e-15);
  }
}

}  // namespace
}  // namespace tauhat
