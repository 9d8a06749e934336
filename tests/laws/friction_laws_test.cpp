// What every friction law without memory obeys, whatever its parameters (RapidCheck: 1000 laws and velocities each,
// seed 7). Laws with memory: friction_memory_laws_test.cpp.
#include <gtest/gtest.h>

#include <cmath>
#include <set>
#include <string>

#include "support/differences.hpp"
#include "support/parameters.hpp"
#include "support/property.hpp"
#include "tauhat/core/friction/asymmetric.hpp"
#include "tauhat/core/friction/coulomb_atan.hpp"
#include "tauhat/core/friction/coulomb_tanh.hpp"
#include "tauhat/core/friction/exponential.hpp"
#include "tauhat/core/friction/hyperbolic.hpp"
#include "tauhat/core/friction/load_dependent.hpp"
#include "tauhat/core/friction/stribeck.hpp"
#include "tauhat/core/friction/viscous.hpp"
#include "tauhat/core/models/two_mass_drive.hpp"

namespace tauhat {
namespace {

using LawsWithoutMemory = testing::Types<CoulombAtan<double>, CoulombTanh<double>, Stribeck<double>, Viscous<double>,
                                         Exponential<double>, Hyperbolic<double>, AsymmetricCoulomb<double>,
                                         AsymmetricExponential<double>, LoadDependentCoulomb<double>>;
using LawsUnderLoad = testing::Types<LoadDependentCoulomb<double>, LoadDependent<double, Exponential>,
                                     LoadDependent<double, Viscous>, LoadDependent<double, AsymmetricCoulomb>>;

// Levels up to 10 N m, widths and velocities over decades, slow and fast; where the sign may be hard, it often is.
template <class Law>
Law drawn_law() {
  Law law;
  Law::visit_parameters(law, [](const ParameterInfo& info, double& value) {
    value = info.unit == "rad/s" ? *decades_between(1e-3, 10.0) : *between(0.0, 10.0);
    if (info.name == "width" && info.range.contains(0.0) && *rc::gen::arbitrary<bool>()) value = 0.0;
  });
  return law;
}

double drawn_velocity() {
  const double speed = *decades_between(1e-5, 1e3);
  return *rc::gen::arbitrary<bool>() ? speed : -speed;
}

// What rounding leaves of a difference of torques over this step.
template <class Law>
double rounding_of_slope(const Law& law, double velocity, double step) {
  return 1e-15 * (law.steepest_slope() * std::abs(velocity) + std::abs(law.torque(velocity))) / step;
}

// A parameter for motion in this direction: of the law, or of the direction's own law.
template <class Law>
double parameter_towards(const Law& law, double velocity, const std::string& name) {
  return parameter(law, "friction." + name) +
         parameter(law, (velocity > 0.0 ? "friction.positive." : "friction.negative.") + name);
}

template <class Law>
struct FrictionLaws : testing::Test {};
TYPED_TEST_SUITE(FrictionLaws, LawsWithoutMemory);

TYPED_TEST(FrictionLaws, AreOddOrSaySo) {
  static_assert(FrictionLaw<TypeParam>);
  if constexpr (TypeParam::kOdd) {
    expect_holds([] {
      const auto law = drawn_law<TypeParam>();
      const auto single = law.template cast<float>();
      const double velocity = drawn_velocity();
      RC_ASSERT(law.torque(-velocity) == -law.torque(velocity));
      RC_ASSERT(law.torque_and_slope(-velocity).slope == law.torque_and_slope(velocity).slope);
      RC_ASSERT(single.torque(static_cast<float>(-velocity)) == -single.torque(static_cast<float>(velocity)));
    });
  } else {
    const auto law = with_distinct_parameters<TypeParam>();
    EXPECT_GT(std::abs(law.torque(-1.0) + law.torque(1.0)), 0.01);
  }
}

TYPED_TEST(FrictionLaws, NeverCreateEnergy) {
  expect_holds([] {
    const auto law = drawn_law<TypeParam>();
    const auto single = law.template cast<float>();
    const double velocity = drawn_velocity();
    RC_ASSERT(law.torque(velocity) * velocity >= 0.0);
    RC_ASSERT(single.torque(static_cast<float>(velocity)) * static_cast<float>(velocity) >= 0.0f);
  });
}

TYPED_TEST(FrictionLaws, HaveTheSlopeOfTheirTorque) {
  expect_holds([] {
    const auto law = drawn_law<TypeParam>();
    const double velocity = drawn_velocity();
    const double step = 1e-4 * std::min(1.0, std::abs(velocity));
    const double slope = central_difference([&](double w) { return law.torque(w); }, velocity, step);
    const double rounding = rounding_of_slope(law, velocity, step);
    RC_ASSERT(std::abs(law.torque_and_slope(velocity).slope - slope) < 1e-7 * law.steepest_slope() + rounding);
  });
}

// Filters that differentiate automatically and those that ask for the slope see one law, at rest, too.
TYPED_TEST(FrictionLaws, HaveTheSlopeThatAutomaticDifferentiationFinds) {
  using D = Dual<double, 1>;
  expect_holds([] {
    const auto law = drawn_law<TypeParam>();
    for (const double velocity : {drawn_velocity(), 0.0}) {
      const D torque = law.template cast<D>().torque(D(velocity, 1, 0));
      const auto known = law.torque_and_slope(velocity);
      RC_ASSERT(std::abs(torque.value() - known.torque) <= 1e-14 * std::abs(known.torque));
      RC_ASSERT(std::abs(torque.derivatives()[0] - known.slope) <= 1e-13 * law.steepest_slope());
    }
  });
}

// The two ways to ask for the torque are one, but for a product and a sum that a compiler rounds once or twice.
TYPED_TEST(FrictionLaws, GiveTheSameTorqueWithAndWithoutSlope) {
  expect_holds([] {
    const auto law = drawn_law<TypeParam>();
    const double velocity = drawn_velocity();
    RC_ASSERT(std::abs(law.torque_and_slope(velocity).torque - law.torque(velocity)) <=
              1e-15 * std::abs(law.torque(velocity)));
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

// At speed, each law is coulomb + viscous w. The smoothing's tail is coulomb width / w at most (arctangent), the
// excess has fallen to the hyperbola at most, since exp(-x) <= 1 / (1 + x).
TYPED_TEST(FrictionLaws, AreCoulombPlusViscousAtSpeed) {
  expect_holds([] {
    const auto law = drawn_law<TypeParam>();
    const double speed = 1e3;
    for (const double velocity : {-speed, speed}) {
      const auto towards = [&](const char* name) { return parameter_towards(law, velocity, name); };
      const double tail = towards("coulomb") * towards("width") / speed +
                          (1.0 + 1e-12) * towards("excess") / (1.0 + towards("decay") * speed);
      const double size = towards("coulomb") + towards("viscous") * speed;
      RC_ASSERT(std::abs(std::abs(law.torque(velocity)) - size) <= tail + 1e-12 * size);
    }
  });
}

// A parameter that is listed but not used, or used but not listed, would be identified in vain, or never.
TYPED_TEST(FrictionLaws, DependOnEachListedParameter) {
  const auto law = with_distinct_parameters<TypeParam>();
  for (const auto& name : parameter_names(law)) {
    auto other = law;
    set_parameter(other, name, parameter(law, name) * 1.5);
    double change = 0.0;
    for (const double w : {-1.0, -0.3, -0.1, 0.1, 0.3, 1.0}) {
      change = std::max(change, std::abs(torque_under(other, w, 2.0) - torque_under(law, w, 2.0)));
    }
    EXPECT_GT(change, 1e-3) << name;
  }
}

// All data members are parameters: the list is as long as the law has numbers, each under a name of its own.
TYPED_TEST(FrictionLaws, ListAllTheirNumbers) {
  const auto names = parameter_names(TypeParam{});
  EXPECT_EQ(names.size() * sizeof(double), sizeof(TypeParam));
  EXPECT_EQ(std::set<std::string>(names.begin(), names.end()).size(), names.size());
}

TYPED_TEST(FrictionLaws, AreTheSameInFloat) {
  const auto law = with_distinct_parameters<TypeParam>();
  const auto single = law.template cast<float>();
  for (const double w : {-3.0, -0.2, 0.01, 0.7, 20.0}) {
    EXPECT_NEAR(single.torque(static_cast<float>(w)), law.torque(w), 1e-6 * std::abs(law.torque(w)) + 1e-7) << w;
  }
}

template <class Law>
struct FrictionUnderLoad : testing::Test {};
TYPED_TEST_SUITE(FrictionUnderLoad, LawsUnderLoad);

TYPED_TEST(FrictionUnderLoad, AddsToTheLawInProportionToTheLoad) {
  static_assert(DependsOnLoad<TypeParam> && FrictionLaw<TypeParam> && !DependsOnLoad<CoulombTanh<double>>);
  expect_holds([] {
    const auto law = drawn_law<TypeParam>();
    const double velocity = drawn_velocity(), load = *between(0.0, 100.0);
    const double alone = law.torque(velocity), added = law.torque(velocity, load) - alone;
    const double rounding = 1e-14 * (std::abs(alone) + std::abs(added));
    RC_ASSERT(law.torque(velocity, 0.0) == alone);
    // The compiler may fuse one of the two, and not the other.
    RC_ASSERT(std::abs(law.torque(velocity, -load) - law.torque(velocity, load)) <= rounding);
    RC_ASSERT(std::abs(law.torque(velocity, 2.0 * load) - alone - 2.0 * added) <= rounding);
    RC_ASSERT(added * velocity >= -rounding * std::abs(velocity));
    RC_ASSERT(std::abs(added) <= law.load_coefficient * load + rounding);
  });
}

TYPED_TEST(FrictionUnderLoad, NeverCreatesEnergyAndVanishesAtStandstill) {
  expect_holds([] {
    const auto law = drawn_law<TypeParam>();
    const double velocity = drawn_velocity(), load = *between(-100.0, 100.0);
    RC_ASSERT(law.torque(velocity, load) * velocity >= 0.0);
    RC_ASSERT(law.torque(0.0, load) == 0.0);
  });
}

TYPED_TEST(FrictionUnderLoad, HasTheSlopesOfItsTorqueAndIsNowhereSteeperThanItSays) {
  using D = Dual<double, 2>;
  expect_holds([] {
    const auto law = drawn_law<TypeParam>();
    const double velocity = drawn_velocity(), load = *between(-100.0, 100.0);
    const auto known = law.torque_and_slope(velocity, load);
    const D torque = law.template cast<D>().torque(D(velocity, 2, 0), D(load, 2, 1));
    const double steepest = law.steepest_slope(load);
    RC_ASSERT(std::abs(known.torque - law.torque(velocity, load)) <= 1e-15 * std::abs(known.torque));
    RC_ASSERT(std::abs(torque.derivatives()[0] - known.slope) <= 1e-13 * steepest);
    RC_ASSERT(std::abs(known.slope) <= steepest * (1.0 + 1e-12));
    RC_ASSERT(std::abs(torque.derivatives()[1] - known.by_load) <= 1e-13 * law.steepest_by_load());
    RC_ASSERT(std::abs(known.by_load) <= law.steepest_by_load() * (1.0 + 1e-12));
    const double by_load = (law.torque(velocity, 2.0 * load) - law.torque(velocity, load)) / load;  // a straight line
    RC_ASSERT(load == 0.0 || std::abs(by_load - known.by_load) <= 1e-13 * std::abs(known.torque / load) + 1e-12);
    const double step = 1e-4 * std::min(1.0, std::abs(velocity));
    const double slope = central_difference([&](double w) { return law.torque(w, load); }, velocity, step);
    const double rounding = 1e-15 * (steepest * std::abs(velocity) + std::abs(known.torque)) / step;
    RC_ASSERT(std::abs(known.slope - slope) < 1e-7 * steepest + rounding);
  });
}

// Without width a sign is what it is in mathematics; with width it becomes that as the width goes to zero.
TEST(SmoothSign, IsHardWithoutWidth) {
  for (const double velocity : {-1e-300, -2.0, 0.0, 1e-300, 3.0}) {
    const auto hard = smooth_sign(velocity, 0.0);
    EXPECT_EQ(hard.value, velocity > 0.0 ? 1.0 : velocity < 0.0 ? -1.0 : 0.0);
    EXPECT_EQ(hard.slope, 0.0);
  }
  EXPECT_EQ(smooth_sign(0.1, 1e-3).value, 1.0);
  EXPECT_DOUBLE_EQ(smooth_sign(0.0, 0.25).slope, 4.0);
}

// The paper's law A at its own numbers: 0.1 exp(-6.2 |v|) + 0.02, and B: 0.1 / (1 + 10 |v|) + 0.02.
TEST(WeakeningLaws, AreThoseOfThePaper) {
  const Exponential<double> a{.coulomb = 0.02, .excess = 0.1, .decay = 6.2};
  const Hyperbolic<double> b{.coulomb = 0.02, .excess = 0.1, .decay = 10.0};
  for (const double v : {0.001, 0.1, 0.7}) {
    EXPECT_DOUBLE_EQ(a.torque(v), 0.1 * std::exp(-6.2 * v) + 0.02);
    EXPECT_DOUBLE_EQ(a.torque_and_slope(-v).slope, -0.62 * std::exp(-6.2 * v));
    EXPECT_DOUBLE_EQ(b.torque(-v), -0.1 / (1.0 + 10.0 * v) - 0.02);
    EXPECT_NEAR(b.torque_and_slope(v).slope, -1.0 / ((1.0 + 10.0 * v) * (1.0 + 10.0 * v)), 1e-15);
  }
}

// In a drive both directions are named by the drive's own group.
TEST(AsymmetricFriction, IsNamedByDirection) {
  const auto names = parameter_names(TwoMassDrive<double, AsymmetricExponential>{});
  const std::set<std::string> all(names.begin(), names.end());
  EXPECT_EQ(all.size(), names.size());
  for (const char* name : {"motor.friction.positive.excess", "motor.friction.negative.excess", "load.friction.width"})
    EXPECT_TRUE(all.contains(name)) << name;
}

}  // namespace
}  // namespace tauhat
