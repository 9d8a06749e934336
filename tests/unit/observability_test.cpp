// Which mode of a model no sensor shows.
#include "tauhat/core/linear/observability.hpp"

#include <gtest/gtest.h>

#include "support/elastic_axis.hpp"

namespace tauhat {
namespace {

using namespace elastic_axis;

template <int N>
ModeTest<double, N> observability_of(const elastic_axis::Axis<N>& axis) {
  return test_observability<double, N, 1>(axis.a, axis.c, kPeriod);
}

TEST(Observability, OfTheElasticAxisByTheMotorAlone) {
  EXPECT_TRUE(observability_of(four()).passed);
  EXPECT_TRUE(observability_of(five()).passed);
  EXPECT_TRUE(observability_of(six()).passed);
  EXPECT_TRUE(observability_of(seven()).passed);
  EXPECT_TRUE(observability_of(six_and_disturbance()).passed);
  EXPECT_TRUE(observability_of(six_and_disturbance(0.0)).passed);
  EXPECT_GT(observability_of(seven()).margin, 1e-5);  // far from rounding
}

// A constant torque at the link and one at the motor look alike: one combination of them is not seen, and stays.
TEST(Observability, OfTwoIntegratorsFails) {
  const auto axis = six_and_two_integrators();
  for (const auto& test : {test_observability<double, 8, 1>(axis.a, axis.c, kPeriod),
                           test_detectability<double, 8, 1>(axis.a, axis.c, kPeriod)}) {
    EXPECT_FALSE(test.passed);
    EXPECT_LT(test.margin, 1e-14);
    EXPECT_NEAR(std::abs(test.pole - 1.0), 0.0, 1e-12);
    EXPECT_GE(test.state, 6);
  }
}

// Velocities say nothing of where the axis stands.
TEST(Observability, OfPositionsByVelocitiesFails) {
  const auto axis = six();
  Matrix<double, 2, 6> c = Matrix<double, 2, 6>::Zero();
  c(0, 0) = c(1, 2) = 1.0;
  const auto test = test_detectability<double, 6, 2>(axis.a, c, kPeriod);
  EXPECT_FALSE(test.passed);
  EXPECT_LT(test.mode.frequency, 1e-9);
  EXPECT_GE(test.state, 3);
}

// Two oscillators, one of them seen: the other is named by its frequency, damping and state; as it decays it may stay
// unseen, and where it grows it may not.
Matrix<double, 4> two_oscillators(double damping) {
  Matrix<double, 4> a = Matrix<double, 4>::Zero();
  const double first = 2.0 * std::numbers::pi * 5.0, second = 2.0 * std::numbers::pi * 30.0;
  a.topLeftCorner<2, 2>() << 0.0, 1.0, -first * first, -0.2 * first;
  a.bottomRightCorner<2, 2>() << 0.0, 1.0, -second * second, -2.0 * damping * second;
  return transition_over<double, 4>(a, kPeriod);
}
TEST(Observability, NamesTheMode) {
  const Matrix<double, 1, 4> c(1.0, 0.0, 0.0, 0.0);
  const auto test = test_observability<double, 4, 1>(two_oscillators(0.05), c, kPeriod);
  EXPECT_FALSE(test.passed);
  EXPECT_NEAR(test.mode.frequency, 30.0, 1e-8);
  EXPECT_NEAR(test.mode.damping, 0.05, 1e-9);
  EXPECT_GE(test.state, 2);
  EXPECT_TRUE((test_detectability<double, 4, 1>(two_oscillators(0.05), c, kPeriod).passed));
  EXPECT_FALSE((test_detectability<double, 4, 1>(two_oscillators(-0.05), c, kPeriod).passed));
  EXPECT_FALSE((test_detectability<double, 4, 1>(two_oscillators(0.0), c, kPeriod).passed));
  EXPECT_TRUE((test_observability<double, 4, 1>(two_oscillators(0.05), {1.0, 0.0, 1.0, 0.0}, kPeriod).passed));
}

// Units that differ by 1e12 change the margin by no more than what scales by powers of two leave.
TEST(Observability, DoesNotDependOnUnits) {
  const auto axis = six_and_disturbance();
  Vector<double, 7> units;
  units << 1e3, 1e-6, 60.0, 1e4, 1.0, 1e-3, 1e6;
  const Matrix<double, 7> a = scaled<double, 7>(axis.a, units);
  const auto scaled_test = test_observability<double, 7, 1>(a, axis.c * units.asDiagonal(), kPeriod);
  EXPECT_NEAR(std::log2(scaled_test.margin / observability_of(axis).margin), 0.0, 3.0);
}

}  // namespace
}  // namespace tauhat
