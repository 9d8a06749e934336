// What every transmission law obeys (RapidCheck: 1000 cases each, seed 7).
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "support/core_types.hpp"
#include "support/parameters.hpp"
#include "support/property.hpp"

namespace tauhat {
namespace {

// Gears as they are built: gaps of some arcmin to some degrees, stiffnesses over decades, both flanks alike.
template <class Law>
Law drawn_law() {
  Law law;
  const double stiffness = *decades_between(1.0, 1e5), gap = *decades_between(1e-4, 0.1);
  for (const char* name :
       {"transmission.stiffness", "transmission.stiffness.positive", "transmission.stiffness.negative"})
    set_parameter(law, name, stiffness);
  set_parameter(law, "backlash.gap", gap);
  set_parameter(law, "backlash.offset", *between(-0.1, 0.1));
  set_parameter(law, "backlash.corner", gap * *between(0.01, 0.4));
  set_parameter(law, "transmission.hardening", *between(1.0, 100.0));
  set_parameter(law, "transmission.hysteresis", *between(0.01, 0.5));
  set_parameter(law, "transmission.hysteresis_width", *decades_between(1e-4, 0.1));
  return law;
}

template <class Law>
using Internal = Vector<double, Law::kInternal>;

template <class Law>
Internal<Law> drawn_internal() {
  return Internal<Law>::NullaryExpr([](Eigen::Index) { return *between(-1.0, 1.0); });
}

template <class Law>
double torque_at(const Law& law, double displacement, double internal = 0.0) {
  return law.torque(displacement, 0.0, Internal<Law>(Internal<Law>::Constant(internal)));
}

template <class Law>
struct TransmissionLaws : testing::Test {};
TYPED_TEST_SUITE(TransmissionLaws, TransmissionLawTypes);

// Whatever moves, and whatever happened before: the teeth do not touch.
TYPED_TEST(TransmissionLaws, PassNoTorqueInTheGap) {
  expect_holds([] {
    const auto law = drawn_law<TypeParam>();
    const double half = std::max(0.0, parameter(law, "backlash.gap") / 2.0 - parameter(law, "backlash.corner"));
    const double displacement = parameter(law, "backlash.offset") + half * *between(-0.999, 0.999);
    RC_ASSERT(law.torque(displacement, *between(-10.0, 10.0), drawn_internal<TypeParam>()) == 0.0);
  });
}

TYPED_TEST(TransmissionLaws, PullTowardsTheMiddle) {
  expect_holds([] {
    const auto law = drawn_law<TypeParam>();
    const double twist = *between(-0.3, 0.3);
    const double torque = law.torque(parameter(law, "backlash.offset") + twist, 0.0, drawn_internal<TypeParam>());
    RC_ASSERT(torque * twist >= 0.0);
  });
}

// No jump anywhere, kinks included: between neighbours the torque changes by the steepest stiffness at most.
TYPED_TEST(TransmissionLaws, AreContinuousAndNowhereStifferThanTheySay) {
  expect_holds([] {
    const auto law = drawn_law<TypeParam>();
    const double twist = *between(-0.1, 0.0999), apart = 1e-4, internal = *between(-1.0, 1.0);
    const double offset = parameter(law, "backlash.offset");
    const double change = torque_at(law, offset + twist + apart, internal) - torque_at(law, offset + twist, internal);
    RC_ASSERT(std::abs(change) <= law.steepest_stiffness() * apart * (1.0 + 1e-9));
  });
}

TYPED_TEST(TransmissionLaws, AreContinuousAtTheirKinks) {
  expect_holds([] {
    const auto law = drawn_law<TypeParam>();
    for (const double kink : law.kinks()) {
      const double jump = torque_at(law, kink + 1e-12, 1.0) - torque_at(law, kink - 1e-12, 1.0);
      RC_ASSERT(std::abs(jump) <= law.steepest_stiffness() * 3e-12);
    }
  });
}

// Each law is a polynomial of third order at most between its kinks. The cubic through four points before
// `at` continues to `at` + 2 steps; by how much the law leaves it there:
template <class Law>
double departure(const Law& law, double at, double step) {
  const auto f = [&](int i) { return torque_at(law, at + i * step, 0.5); };
  const double continued = 20.0 * f(-1) - 45.0 * f(-2) + 36.0 * f(-3) - 10.0 * f(-4);
  return std::abs(f(2) - continued) / (law.steepest_stiffness() * step);
}

TYPED_TEST(TransmissionLaws, BendExactlyAtTheirKinks) {
  expect_holds([] {
    const auto law = drawn_law<TypeParam>();
    const double gap = parameter(law, "backlash.gap"), corner = parameter(law, "backlash.corner");
    const double step = 0.02 * (corner > 0.0 ? corner : gap > 0.0 ? gap : 0.01);
    for (const double kink : law.kinks()) RC_ASSERT(departure(law, kink, step) > 0.01);
    const double elsewhere = parameter(law, "backlash.offset") + *between(-0.2, 0.2);
    for (const double kink : law.kinks()) RC_PRE(std::abs(elsewhere - kink) > 5.0 * step);
    RC_ASSERT(departure(law, elsewhere, step) < 1e-6);
  });
}

TYPED_TEST(TransmissionLaws, AreSymmetricAboutTheOffset) {
  expect_holds([] {
    const auto law = drawn_law<TypeParam>();
    const double twist = *between(0.0, 0.2), offset = parameter(law, "backlash.offset"), internal = *between(-1.0, 1.0);
    const double up = torque_at(law, offset + twist, internal), down = torque_at(law, offset - twist, -internal);
    RC_ASSERT(std::abs(up + down) <= 1e-12 * law.steepest_stiffness());
  });
}

TYPED_TEST(TransmissionLaws, MoveWithTheOffset) {
  expect_holds([] {
    const auto law = drawn_law<TypeParam>();
    auto centred = law;
    RC_ASSERT(set_parameter(centred, "backlash.offset", 0.0));
    const double twist = *between(-0.2, 0.2);
    const double difference = torque_at(law, parameter(law, "backlash.offset") + twist) - torque_at(centred, twist);
    RC_ASSERT(std::abs(difference) <= 1e-12 * law.steepest_stiffness());
  });
}

// Work of one turn around a closed cycle of displacement, up and down at different speeds, memory included:
//   displacement from the offset - amplitude to + amplitude and back. The first turn lets the memory settle.
template <class Law>
double work_of_a_cycle(const Law& law, double amplitude) {
  constexpr int kSteps = 2000;
  const double offset = parameter(law, "backlash.offset"), move = 2.0 * amplitude / kSteps;
  Internal<Law> z = Internal<Law>::Zero();
  double work = 0.0;
  for (int k = 0; k < 4 * kSteps; ++k) {
    if (k == 2 * kSteps) work = 0.0;
    const int at = k % (2 * kSteps);
    const bool up = at < kSteps;
    const double from = offset - amplitude + move * (up ? at : 2 * kSteps - at), to = up ? from + move : from - move;
    const double rate = up ? 1.0 : -3.0, time = move / std::abs(rate);
    const double before = law.torque(from, rate, z);
    // Implicit midpoint; the law's memory is linear in itself, so two passes of it are plenty.
    const Internal<Law> half = z + time / 2.0 * law.internal_derivative(from, rate, z);
    const Internal<Law> next = z + time * law.internal_derivative(from, rate, half);
    work += 0.5 * (before + law.torque(to, rate, next)) * (to - from);
    z = next;
  }
  return work;
}

TYPED_TEST(TransmissionLaws, CreateNoEnergyOverACycle) {
  expect_holds(
      [] {
        const auto law = drawn_law<TypeParam>();
        const double amplitude = parameter(law, "backlash.gap") / 2.0 + *between(0.01, 0.2);
        const double work = work_of_a_cycle(law, amplitude);
        const double scale = torque_at(law, parameter(law, "backlash.offset") + amplitude) * amplitude;
        if (TypeParam::kInternal == 0) {
          RC_ASSERT(std::abs(work) <= 1e-12 * scale);
        } else {
          RC_ASSERT(work > 0.0);
        }
      },
      100);
}

// Friction that does not know time: twice as fast, twice the rate of memory. Memory stays within -1 and 1.
TYPED_TEST(TransmissionLaws, RememberPathsNotTimes) {
  expect_holds([] {
    const auto law = drawn_law<TypeParam>();
    const double d = *between(-0.2, 0.2), rate = *between(-10.0, 10.0);
    const auto z = drawn_internal<TypeParam>();
    const Internal<TypeParam> twice = law.internal_derivative(d, 2.0 * rate, z);
    RC_ASSERT(twice.isApprox(2.0 * law.internal_derivative(d, rate, z), 1e-14));
    for (const double bound : {-1.0, 1.0}) {
      const Internal<TypeParam> at_bound = Internal<TypeParam>::Constant(bound);
      RC_ASSERT((law.internal_derivative(d, rate, at_bound).array() * bound <= 0.0).all());
    }
  });
}

TYPED_TEST(TransmissionLaws, DependOnEachListedParameter) {
  const auto law = with_distinct_parameters<TypeParam>();
  for (const auto& name : parameter_names(law)) {
    auto other = law;
    set_parameter(other, name, parameter(law, name) * 1.1);
    double change = 0.0;
    for (const double d : {-3.0, -0.9, 0.8, 1.3, 3.0}) {
      change = std::max(change, std::abs(torque_at(other, d, 0.7) - torque_at(law, d, 0.7)));
      const Internal<TypeParam> z = Internal<TypeParam>::Constant(0.7);
      change += (other.internal_derivative(d, 1.0, z) - law.internal_derivative(d, 1.0, z)).norm();
    }
    EXPECT_GT(change, 1e-3) << name;
  }
}

TYPED_TEST(TransmissionLaws, ListAllTheirNumbers) {
  EXPECT_EQ(parameter_names(TypeParam{}).size() * sizeof(double), sizeof(TypeParam));
}

}  // namespace
}  // namespace tauhat
