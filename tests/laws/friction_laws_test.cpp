// What every friction law obeys, whatever its parameters (RapidCheck: 1000 laws and velocities each, seed 7).
#include <gtest/gtest.h>

#include <cmath>

#include "support/core_types.hpp"
#include "support/differences.hpp"
#include "support/parameters.hpp"
#include "support/property.hpp"

namespace tauhat {
namespace {

// Levels up to 10 N m, widths and velocities over decades, slow and fast.
template <class Law>
Law drawn_law() {
  Law law;
  Law::visit_parameters(law, [](const ParameterInfo& info, double& value) {
    value = info.unit == "rad/s" ? *decades_between(1e-3, 10.0) : *between(0.0, 10.0);
  });
  return law;
}

double drawn_velocity() {
  const double speed = *decades_between(1e-5, 1e3);
  return *rc::gen::arbitrary<bool>() ? speed : -speed;
}

// The size of a law's torque at a velocity, for relative tolerances.
template <class Law>
double level_at(const Law& law, double velocity) {
  return law.steepest_slope() * std::abs(velocity);
}

template <class Law>
struct FrictionLaws : testing::Test {};
TYPED_TEST_SUITE(FrictionLaws, FrictionLawTypes);

TYPED_TEST(FrictionLaws, AreOdd) {
  expect_holds([] {
    const auto law = drawn_law<TypeParam>();
    const double velocity = drawn_velocity();
    RC_ASSERT(law.torque(-velocity) == -law.torque(velocity));
    RC_ASSERT(law.torque_and_slope(-velocity).slope == law.torque_and_slope(velocity).slope);
  });
}

TYPED_TEST(FrictionLaws, NeverCreateEnergy) {
  expect_holds([] {
    const auto law = drawn_law<TypeParam>();
    const double velocity = drawn_velocity();
    RC_ASSERT(law.torque(velocity) * velocity >= 0.0);
  });
}

TYPED_TEST(FrictionLaws, HaveTheSlopeOfTheirTorque) {
  expect_holds([] {
    const auto law = drawn_law<TypeParam>();
    const double velocity = drawn_velocity();
    const double step = 1e-4 * std::min(1.0, std::abs(velocity));
    const double slope = central_difference([&](double w) { return law.torque(w); }, velocity, step);
    const double rounding = 1e-15 * level_at(law, velocity) / step;
    RC_ASSERT(std::abs(law.torque_and_slope(velocity).slope - slope) < 1e-7 * law.steepest_slope() + rounding);
  });
}

// The two ways to ask for the torque are one.
TYPED_TEST(FrictionLaws, GiveTheSameTorqueWithAndWithoutSlope) {
  expect_holds([] {
    const auto law = drawn_law<TypeParam>();
    const double velocity = drawn_velocity();
    RC_ASSERT(std::abs(law.torque_and_slope(velocity).torque - law.torque(velocity)) <=
              4e-16 * std::abs(law.torque(velocity)));
  });
}

// Sub-steps are chosen from this bound: a steeper slope would make them unstable.
TYPED_TEST(FrictionLaws, AreNowhereSteeperThanTheySay) {
  expect_holds([] {
    const auto law = drawn_law<TypeParam>();
    const double velocity = drawn_velocity();
    RC_ASSERT(std::abs(law.torque_and_slope(velocity).slope) <= law.steepest_slope() * (1.0 + 1e-12));
  });
}

TYPED_TEST(FrictionLaws, VanishAtStandstill) {
  expect_holds([] {
    const auto law = drawn_law<TypeParam>();
    RC_ASSERT(law.torque(0.0) == 0.0);
    RC_ASSERT(law.torque_and_slope(0.0).slope >= 0.0);
  });
}

// At speed, each law is coulomb + viscous w; the smoothing's tail is coulomb width / w at most (arctangent).
TYPED_TEST(FrictionLaws, AreCoulombPlusViscousAtSpeed) {
  expect_holds([] {
    const auto law = drawn_law<TypeParam>();
    const double coulomb = parameter(law, "friction.coulomb"), viscous = parameter(law, "friction.viscous");
    const double speed = 1e3, tail = coulomb * parameter(law, "friction.width") / speed;
    RC_ASSERT(std::abs(law.torque(speed) - coulomb - viscous * speed) <= tail + 1e-12 * viscous * speed);
  });
}

// A parameter that is listed but not used, or used but not listed, would be identified in vain, or never.
TYPED_TEST(FrictionLaws, DependOnEachListedParameter) {
  const auto law = with_distinct_parameters<TypeParam>();
  for (const auto& name : parameter_names(law)) {
    auto other = law;
    set_parameter(other, name, parameter(law, name) * 1.5);
    double change = 0.0;
    for (const double w : {0.1, 0.3, 1.0}) change = std::max(change, std::abs(other.torque(w) - law.torque(w)));
    EXPECT_GT(change, 1e-3) << name;
  }
}

// All data members are parameters: the list is as long as the law has numbers.
TYPED_TEST(FrictionLaws, ListAllTheirNumbers) {
  EXPECT_EQ(parameter_names(TypeParam{}).size() * sizeof(double), sizeof(TypeParam));
}

TYPED_TEST(FrictionLaws, AreTheSameInFloat) {
  const auto law = with_distinct_parameters<TypeParam>();
  const auto single = law.template cast<float>();
  for (const double w : {-3.0, -0.2, 0.01, 0.7, 20.0}) {
    EXPECT_NEAR(single.torque(static_cast<float>(w)), law.torque(w), 1e-6 * std::abs(law.torque(w)) + 1e-7) << w;
  }
}

}  // namespace
}  // namespace tauhat
