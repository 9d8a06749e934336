// Sines and cosines beside the standard library's in the next wider type.
#include "tauhat/core/math/sine_cosine.hpp"

#include <gtest/gtest.h>

#include <Eigen/Core>

#include <limits>
#include <numbers>

#include "support/random.hpp"

namespace tauhat {
namespace {

template <class T>
void expect_near_standard(const Vector<T, 6>& x, double tolerance) {
  const auto given = sine_cosine(x);
  for (int i = 0; i < 6; ++i) {
    const auto wide = static_cast<long double>(x[i]);
    EXPECT_NEAR(static_cast<double>(given.sine[i] - std::sin(wide)), 0.0, tolerance) << x[i];
    EXPECT_NEAR(static_cast<double>(given.cosine[i] - std::cos(wide)), 0.0, tolerance) << x[i];
  }
}

TEST(SineCosine, IsTheStandardLibrarys) {
  Draw draw(11);
  for (const double size : {1e-8, 1.0, 10.0, 1e4, 1e9}) {
    for (int k = 0; k < 2000; ++k) {
      const Vector<double, 6> x = size * draw.matrix<double, 6>();
      expect_near_standard<double>(x, 3e-16);
      expect_near_standard<float>(x.cast<float>(), 2e-7);
    }
  }
}

TEST(SineCosine, IsExactWhereItMatters) {
  const double half = std::numbers::pi / 2.0;
  const Vector<double, 6> x(0.0, half, -half, 2.0 * half, -2.0 * half, 3.0 * half);
  expect_near_standard<double>(x, 3e-16);
  EXPECT_EQ(sine_cosine(x).sine[0], 0.0);
  EXPECT_EQ(sine_cosine(x).cosine[0], 1.0);
  const Vector<double, 2> none(std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity());
  EXPECT_TRUE(sine_cosine(none).sine.array().isNaN().all());
}

}  // namespace
}  // namespace tauhat
