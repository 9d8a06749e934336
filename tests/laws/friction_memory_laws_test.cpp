// What every friction law with memory obeys, whatever its parameters and the motion (RapidCheck, seed 7).
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <set>
#include <string>
#include <type_traits>

#include "support/differences.hpp"
#include "support/parameters.hpp"
#include "support/property.hpp"
#include "tauhat/core/friction/dahl.hpp"
#include "tauhat/core/friction/lugre.hpp"
#include "tauhat/core/friction/maxwell_slip.hpp"

namespace tauhat {
namespace {

using LawsWithMemory =
    testing::Types<Dahl<double>, LuGre<double>, MaxwellSlip<double>, MaxwellSlip<double, 1>, MaxwellSlip<double, 8>>;

template <class Law>
using Memory = Vector<typename Law::Scalar, Law::kMemory>;

// Contacts that bend by 0.1 to 100 mrad; LuGre with as much viscous friction as makes it passive.
template <class Law>
Law drawn_law() {
  Law law;
  Law::visit_parameters(law, [](const ParameterInfo& info, double& value) {
    if (info.unit == "N m") value = *decades_between(0.2, 2.0);
    if (info.unit == "N m/rad") value = *decades_between(30.0, 1e3);
    if (info.unit == "N m s/rad") value = *between(0.0, 1.0);
    if (info.unit == "rad/s") value = *decades_between(0.01, 1.0);
    if (info.unit == "1/s") value = *decades_between(1.0, 1e3);
    if (info.unit == "1") value = *between(1.0, 3.0);
  });
  if constexpr (requires { law.is_passive(); }) {
    law.breakaway = law.coulomb * *between(1.0, 3.0);
    law.viscous = law.bristle_damping * (law.breakaway / law.coulomb - 1.0) * *between(1.0 + 1e-12, 2.0);
  }
  return law;
}

// The law together with the work done against it, one RK4 step at a time.
template <class Law>
struct Contact {
  using T = typename Law::Scalar;
  Law law;
  Memory<Law> z = Memory<Law>::Zero();
  T work = T(0);

  // `velocity(share)` over the step, share from 0 to 1.
  template <class Velocity>
  void advance(const Velocity& velocity, T h) {
    const T v0 = velocity(T(0)), v1 = velocity(T(0.5)), v2 = velocity(T(1));
    const Memory<Law> k1 = law.memory_rate(v0, z), z1 = z + h / T(2) * k1;
    const Memory<Law> k2 = law.memory_rate(v1, z1), z2 = z + h / T(2) * k2;
    const Memory<Law> k3 = law.memory_rate(v1, z2), z3 = z + h * k3;
    const Memory<Law> k4 = law.memory_rate(v2, z3);
    work += h / T(6) *
            (law.torque(v0, z) * v0 + T(2) * (law.torque(v1, z1) + law.torque(v1, z2)) * v1 + law.torque(v2, z3) * v2);
    z += h / T(6) * (k1 + T(2) * (k2 + k3) + k4);
  }
};

// Power that goes in and is not stored: torque w - d stored / dt.
template <class Law>
double power_lost(const Law& law, double velocity, const Memory<Law>& z) {
  using D = Dual<double, Law::kMemory>;
  const D stored = law.template cast<D>().stored_energy(seeded<D>(z));
  return law.torque(velocity, z) * velocity - stored.derivatives().dot(law.memory_rate(velocity, z));
}

// Two sines of drawn size and period, so that the motion turns at ever different places. Calls `look(velocity,
// contact)` after each step; the steps resolve the memory, and motion takes 30 to 300 of them to turn.
template <class T, class Law, class Look>
void move_at_random(const Law& law, const Look& look) {
  const double speed = *decades_between(1e-3, 10.0), share = *between(0.0, 1.0), phase = *between(0.0, 6.0);
  const double turn = std::numbers::pi / *decades_between(30.0, 300.0), other = turn * *between(0.1, 3.0);
  const double h = 0.2 / law.fastest_memory_rate(speed);
  auto contact = Contact<decltype(law.template cast<T>())>{law.template cast<T>()};
  for (int k = 0; k < 600; ++k) {
    const auto velocity = [&](T at) {
      const double step = k + static_cast<double>(at);
      return static_cast<T>(speed * (share * std::sin(turn * step) + (1.0 - share) * std::sin(other * step + phase)));
    };
    contact.advance(velocity, static_cast<T>(h));
    look(velocity(T(1)), contact);
  }
}

// The torque per displacement of a contact that begins to bend, and the displacement at which it would slide at that.
template <class Law>
double contact_stiffness(const Law& law) {
  const Memory<Law> apart = Memory<Law>::Ones(), none = Memory<Law>::Zero();
  return law.torque(0.0, apart) - law.torque(0.0, none);
}

template <class Law>
struct FrictionMemory : testing::Test {};
TYPED_TEST_SUITE(FrictionMemory, LawsWithMemory);

TYPED_TEST(FrictionMemory, IsOdd) {
  static_assert(FrictionWithMemory<TypeParam> && !FrictionLaw<TypeParam> && !DependsOnLoad<TypeParam>);
  static_assert(TypeParam::kOdd);
  expect_holds(
      [] {
        const auto law = drawn_law<TypeParam>();
        move_at_random<double>(law, [&](double velocity, const auto& contact) {
          const Memory<TypeParam> mirrored = -contact.z;
          RC_ASSERT(law.torque(-velocity, mirrored) == -law.torque(velocity, contact.z));
          RC_ASSERT(law.memory_rate(-velocity, mirrored) == -law.memory_rate(velocity, contact.z));
          RC_ASSERT(law.steady_torque(-velocity) == -law.steady_torque(velocity));
        });
      },
      50);
}

// At every instant: to rounding. Over the whole motion: to the integration's error.
TYPED_TEST(FrictionMemory, NeverCreatesEnergy) {
  expect_holds(
      [] {
        const auto law = drawn_law<TypeParam>();
        double turnover = 0.0, before = 0.0;
        move_at_random<double>(law, [&](double velocity, const auto& contact) {
          const double power = std::abs(law.torque(velocity, contact.z) * velocity);
          RC_ASSERT(power_lost(law, velocity, contact.z) >= -1e-12 * (power + std::abs(velocity)));
          turnover += std::abs(contact.work - before);
          before = contact.work;
          RC_ASSERT(contact.work - law.stored_energy(contact.z) >= -1e-3 * turnover);
        });
      },
      200);
}

// The same over the whole motion in float.
TYPED_TEST(FrictionMemory, NeverCreatesEnergyInFloat) {
  expect_holds(
      [] {
        const auto law = drawn_law<TypeParam>();
        float turnover = 0.0f, before = 0.0f;
        move_at_random<float>(law, [&](float, const auto& contact) {
          turnover += std::abs(contact.work - before);
          before = contact.work;
          RC_ASSERT(contact.work - contact.law.stored_energy(contact.z) >= -1e-3f * turnover);
        });
      },
      50);
}

// By velocity and memory: automatic derivatives against differences. Sliding springs sit on a corner, where they stop
// to bend: the memory is taken somewhat aside.
TYPED_TEST(FrictionMemory, HasTheDerivativesThatDifferencesFind) {
  constexpr int kMemory = TypeParam::kMemory, kAll = kMemory + 1;
  using D = Dual<double, kAll>;
  expect_holds(
      [] {
        const auto law = drawn_law<TypeParam>();
        const auto dual_law = law.template cast<D>();
        // Torque and rates over velocity and memory, the memory in yields, so that one step suits all.
        const double yield = law.steady_torque(1e-6) / contact_stiffness(law);
        const double aside = *between(0.5, 1.5);
        int k = 0;
        move_at_random<double>(law, [&](double velocity, const auto& contact) {
          if (++k % 50 != 0 || std::abs(velocity) < 1e-4) return;
          Vector<double, kAll> x;
          x << velocity, aside * contact.z;
          const Vector<D, kAll> dual = seeded<D>(x);
          const Vector<D, kMemory> dual_z = dual.template tail<kMemory>(), rate = dual_law.memory_rate(dual[0], dual_z);
          const D torque = dual_law.torque(dual[0], dual_z);
          for (int j = 0; j < kAll; ++j) {
            const double step = 1e-5 * (j == 0 ? std::abs(velocity) : yield);
            const auto moved = [&](double xj) {
              Vector<double, kAll> at = x;
              at[j] = xj;
              return at;
            };
            const double torque_slope = central_difference(
                [&](double xj) { return law.torque(moved(xj)[0], moved(xj).template tail<kMemory>()); }, x[j], step);
            const double torque_size =
                std::abs(law.torque(velocity, x.template tail<kMemory>())) + law.steady_torque(1.0);
            RC_ASSERT(std::abs(torque.derivatives()[j] - torque_slope) <=
                      1e-5 * std::abs(torque_slope) + 1e-14 * torque_size / step);
            for (int i = 0; i < kMemory; ++i) {
              const double slope = central_difference(
                  [&](double xj) { return law.memory_rate(moved(xj)[0], moved(xj).template tail<kMemory>())[i]; }, x[j],
                  step);
              RC_ASSERT(std::abs(rate[i].derivatives()[j] - slope) <=
                        1e-5 * std::abs(slope) + 1e-13 * std::abs(velocity) / step);
            }
          }
        });
      },
      50);
}

// Sub-steps are chosen from this bound.
TYPED_TEST(FrictionMemory, ForgetsNoFasterThanItSays) {
  using D = Dual<double, TypeParam::kMemory>;
  expect_holds(
      [] {
        const auto law = drawn_law<TypeParam>();
        const auto dual_law = law.template cast<D>();
        move_at_random<double>(law, [&](double velocity, const auto& contact) {
          const Vector<D, TypeParam::kMemory> rate = dual_law.memory_rate(D(velocity), seeded<D>(contact.z));
          for (int i = 0; i < TypeParam::kMemory; ++i) {
            RC_ASSERT(std::abs(rate[i].derivatives()[i]) <=
                      law.fastest_memory_rate(std::abs(velocity)) * (1.0 + 1e-12));
          }
        });
      },
      50);
}

TYPED_TEST(FrictionMemory, ApproachesTheSteadyTorqueAtConstantVelocity) {
  expect_holds(
      [] {
        const auto law = drawn_law<TypeParam>();
        const double velocity = *decades_between(1e-2, 10.0) * (*rc::gen::arbitrary<bool>() ? 1.0 : -1.0);
        Contact<TypeParam> contact{law};
        const double h = 0.5 / law.fastest_memory_rate(std::abs(velocity));
        int steps = 0;
        for (; steps < 100'000; ++steps) {
          contact.advance([&](double) { return velocity; }, h);
          if (law.memory_rate(velocity, contact.z).cwiseAbs().maxCoeff() < 1e-10 * std::abs(velocity)) break;
        }
        RC_ASSERT(steps < 100'000);
        RC_ASSERT(std::abs(law.torque(velocity, contact.z) / law.steady_torque(velocity) - 1.0) < 1e-8);
      },
      50);
}

TYPED_TEST(FrictionMemory, IsCoulombPlusViscousAtSpeedAndNothingAtRest) {
  expect_holds([] {
    const auto law = drawn_law<TypeParam>();
    double coulomb = 0.0;
    TypeParam::visit_parameters(law, [&](const ParameterInfo& info, const double& value) {
      if (info.name == "coulomb" || info.name.starts_with("level_")) coulomb += value;
    });
    const double speed = 1e3, expected = coulomb + parameter(law, "friction.viscous") * speed;
    RC_ASSERT(std::abs(law.steady_torque(speed) - expected) <= 1e-12 * expected);
    RC_ASSERT(law.steady_torque(0.0) == 0.0);
    const Memory<TypeParam> none = Memory<TypeParam>::Zero();
    RC_ASSERT(law.torque(0.0, none) == 0.0);
    RC_ASSERT(law.memory_rate(0.0, none).isZero(0.0));
    RC_ASSERT(law.stored_energy(none) == 0.0);
  });
}

// Back and forth by less than it takes to slide: the torque draws a loop whose area is lost, and stays below the level.
// A single Maxwell spring is left out: it is elastic until it slides.
TYPED_TEST(FrictionMemory, EnclosesAreaBeforeItSlides) {
  if (std::is_same_v<TypeParam, MaxwellSlip<double, 1>>) return;
  expect_holds(
      [] {
        auto law = drawn_law<TypeParam>();
        set_parameter(law, "friction.viscous", 0.0);
        set_parameter(law, "friction.bristle_damping", 0.0);
        const double level = law.steady_torque(1e-9), amplitude = 0.9 * level / contact_stiffness(law);
        constexpr int kSteps = 2000;
        const double rate = 1e-3 + 0.01 * law.fastest_memory_rate(0.0), h = 2.0 * std::numbers::pi / rate / kSteps;
        Contact<TypeParam> contact{law};
        double first = 0.0, highest = 0.0;
        for (int k = 0; k < 2 * kSteps; ++k) {
          if (k == kSteps) first = contact.work;
          const auto velocity = [&](double at) { return amplitude * rate * std::cos(rate * h * (k + at)); };
          contact.advance(velocity, h);
          highest = std::max(highest, std::abs(law.torque(0.0, contact.z)));
        }
        const double area = contact.work - first;
        RC_ASSERT(highest < level);
        RC_ASSERT(area > 1e-3 * highest * amplitude);
        RC_ASSERT(area < 4.0 * highest * amplitude);
      },
      50);
}

TYPED_TEST(FrictionMemory, DependsOnEachListedParameter) {
  const auto law = with_distinct_parameters<TypeParam>();
  const Memory<TypeParam> z = Memory<TypeParam>::Constant(0.7);
  for (const auto& name : parameter_names(law)) {
    auto other = law;
    set_parameter(other, name, parameter(law, name) * 1.5);
    double change = 0.0;
    for (const double w : {0.2, 0.5, 2.0}) {
      change = std::max(change, std::abs(other.torque(w, z) - law.torque(w, z)));
      change = std::max(change, (other.memory_rate(w, z) - law.memory_rate(w, z)).cwiseAbs().maxCoeff());
    }
    EXPECT_GT(change, 1e-3) << name;
  }
}

TYPED_TEST(FrictionMemory, ListsAllItsNumbers) {
  const auto names = parameter_names(TypeParam{});
  EXPECT_EQ(std::set<std::string>(names.begin(), names.end()).size(), names.size());
  EXPECT_LE(names.size() * sizeof(double), sizeof(TypeParam));
  EXPECT_GT((names.size() + 4) * sizeof(double), sizeof(TypeParam));  // vectors are aligned
}

// Bent slowly to the level at rest, then let go at speed: with damping but no viscous friction LuGre gives back more
// than it took, and with as much as its header asks for it does not.
TEST(LuGrePassivity, EndsWhereTheHeaderSays) {
  const auto energy_lost = [](const LuGre<double>& law) {
    Contact<LuGre<double>> contact{law};
    for (const double velocity : {1e-3, 200.0}) {
      const double h = 0.05 / law.fastest_memory_rate(velocity);
      for (int k = 0; k < 80; ++k) contact.advance([&](double) { return velocity; }, h);
    }
    return contact.work - law.stored_energy(contact.z);
  };
  LuGre<double> law{.bristle_stiffness = 100.0, .bristle_damping = 1.0, .coulomb = 1.0, .breakaway = 2.0};
  EXPECT_FALSE(law.is_passive());
  EXPECT_LT(energy_lost(law), -0.1);
  law.viscous = 1.0;
  EXPECT_TRUE(law.is_passive());
  EXPECT_GT(energy_lost(law), 0.0);
}

// The other condition: below a speed it is passive however far the bristles are bent.
TEST(LuGrePassivity, HoldsAtLowSpeedWhateverTheMemory) {
  expect_holds([] {
    auto law = drawn_law<LuGre<double>>();
    law.viscous = *between(0.0, 0.1);
    const double damping = law.bristle_damping + 1e-3;
    law.bristle_damping = damping;
    const double limit = 4.0 * (damping + law.viscous) * law.coulomb / (damping * damping);
    const double velocity = limit * *between(-1.0, 1.0);
    const Vector<double, 1> z(*between(-10.0, 10.0) * law.breakaway / law.bristle_stiffness);
    const double scale = std::abs(velocity) * (law.coulomb + damping * std::abs(velocity)) * 100.0;
    RC_ASSERT(power_lost(law, velocity, z) >= -1e-13 * scale);
  });
}

}  // namespace
}  // namespace tauhat
