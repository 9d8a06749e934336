// Transmission laws against their equations, number by number.
#include <gtest/gtest.h>

#include "support/core_types.hpp"

namespace tauhat {
namespace {

const Vector<double, 0> kNothing;

TEST(DeadZone, HasASpringOnEitherFlank) {
  const DeadZone<double> law{.stiffness_positive = 80.0, .stiffness_negative = 50.0, .gap = 0.1, .offset = 0.02};
  EXPECT_DOUBLE_EQ(law.torque(0.02 + 0.05 + 0.01, 0.0, kNothing), 0.8);
  EXPECT_DOUBLE_EQ(law.torque(0.02 - 0.05 - 0.01, 0.0, kNothing), -0.5);
  EXPECT_EQ(law.torque(0.069, 0.0, kNothing), 0.0);
  EXPECT_EQ(law.torque(-0.029, 0.0, kNothing), 0.0);
  EXPECT_EQ(law.kinks(), (std::array{0.02 - 0.05, 0.02 + 0.05}));
  EXPECT_EQ(law.steepest_stiffness(), 80.0);
}

// Far out, the stiffness is the parameter: the secant between two points on one flank.
TEST(DeadZone, HasItsStiffnessFarOut) {
  const DeadZone<double> law{.stiffness_positive = 80.0, .stiffness_negative = 50.0, .gap = 0.1, .offset = 0.02};
  EXPECT_NEAR(law.torque(3.0, 0.0, kNothing) - law.torque(2.0, 0.0, kNothing), 80.0, 1e-12);
  EXPECT_NEAR(law.torque(-2.0, 0.0, kNothing) - law.torque(-3.0, 0.0, kNothing), 50.0, 1e-12);
}

// The corner is the parabola (x + w)^2 / (4 w): at the edge of the gap (x = 0) a quarter of w is compressed.
TEST(SoftDeadZone, RoundsTheCornerByAParabola) {
  const SoftDeadZone<double> law{.stiffness = 80.0, .gap = 0.1, .offset = 0.02, .corner = 0.01};
  EXPECT_NEAR(law.torque(0.07, 0.0, kNothing), 80.0 * 0.01 / 4.0, 1e-14);
  EXPECT_NEAR(law.torque(0.07 + 0.01, 0.0, kNothing), 80.0 * 0.01, 1e-14);
  EXPECT_EQ(law.torque(0.07 - 0.01001, 0.0, kNothing), 0.0);
  EXPECT_NEAR(law.torque(3.0, 0.0, kNothing) - law.torque(2.0, 0.0, kNothing), 80.0, 1e-12);
}

// As the corner closes, it becomes the dead zone; they differ by k w / 4 at most.
TEST(SoftDeadZone, BecomesTheDeadZone) {
  const DeadZone<double> sharp{.stiffness_positive = 80.0, .stiffness_negative = 80.0, .gap = 0.1, .offset = 0.02};
  const SoftDeadZone<double> soft{.stiffness = 80.0, .gap = 0.1, .offset = 0.02, .corner = 1e-6};
  for (double d = -0.2; d < 0.2; d += 0.001) {
    EXPECT_NEAR(soft.torque(d, 0.0, kNothing), sharp.torque(d, 0.0, kNothing), 80.0 * 1e-6 / 4.0 + 1e-14) << d;
  }
}

TEST(LinearSpring, IsAStraightLine) {
  const LinearSpring<double> law{.stiffness = 80.0, .offset = 0.02};
  EXPECT_DOUBLE_EQ(law.torque(0.12, 0.0, kNothing), 8.0);
  EXPECT_EQ(law.kinks().size(), 0U);
}

// k x (1 + h x^2): stiffness k at rest, 1.3 k x at x = 0.1 with h = 30.
TEST(StiffeningSpring, GrowsStiffer) {
  const StiffeningSpring<double> law{.stiffness = 80.0, .hardening = 30.0, .offset = 0.02};
  EXPECT_NEAR(law.torque(0.02 + 1e-6, 0.0, kNothing) / 1e-6, 80.0, 1e-8);
  EXPECT_NEAR(law.torque(0.12, 0.0, kNothing), 80.0 * 0.1 * 1.3, 1e-13);
  EXPECT_NEAR(law.steepest_stiffness(), 80.0 * (1.0 + 3.0 * 30.0 * 0.1 * 0.1), 1e-12);
}

TEST(HystereticDeadZone, AddsAShareOfTheTorque) {
  HystereticDeadZone<double> law;
  law.spring = {.stiffness_positive = 80.0, .stiffness_negative = 50.0, .gap = 0.1, .offset = 0.02};
  law.hysteresis = 0.2;
  EXPECT_NEAR(law.torque(0.08, 0.0, Vector<double, 1>(1.0)), 0.8 * 1.2, 1e-13);
  EXPECT_NEAR(law.torque(0.08, 0.0, Vector<double, 1>(-1.0)), 0.8 * 0.8, 1e-13);
  EXPECT_NEAR(law.torque(-0.04, 0.0, Vector<double, 1>(1.0)), -0.5 * 0.8, 1e-13);
}

// z' = (d' - |d'| z) / width: from zero, after moving by `width`, z = 1 - 1/e.
TEST(HystereticDeadZone, TurnsOverItsWidth) {
  HystereticDeadZone<double> law;
  law.width = 0.01;
  Vector<double, 1> z(0.0);
  constexpr int kSteps = 10000;
  const double rate = 2.0, dt = law.width / rate / kSteps;
  for (int k = 0; k < kSteps; ++k)
    z += dt * law.internal_derivative(0.0, rate, z + dt / 2 * law.internal_derivative(0.0, rate, z));
  EXPECT_NEAR(z[0], 1.0 - std::exp(-1.0), 1e-8);
}

}  // namespace
}  // namespace tauhat
