// An axis described from either side is the same axis. Referred to the motor side, with ratio N:
//   q_l' = N q_l,  J_l' = J_l / N^2,  D' = D / N^2,  tau' = tau / N,  k' = k / N^2,  gap' = N gap
#include <gtest/gtest.h>

#include "support/core_types.hpp"
#include "support/differences.hpp"
#include "support/parameters.hpp"
#include "support/property.hpp"
#include "tauhat/core/filters/ekf.hpp"

namespace tauhat {
namespace {

using Drive = TwoMassDrive<double>;

Drive drawn_drive() {
  Drive drive;
  drive.motor_inertia = *decades_between(1e-5, 1e-1);
  drive.load_inertia = *decades_between(1e-5, 10.0);
  drive.ratio = *decades_between(0.1, 200.0);
  drive.damping = *between(0.0, 1.0);
  drive.position_gain = *between(0.0, 10.0);
  drive.motor_friction = {.coulomb = *between(0.0, 1.0), .viscous = *between(0.0, 0.1), .width = 0.05};
  drive.load_friction = {.coulomb = *between(0.0, 1.0), .viscous = *between(0.0, 0.1), .width = 0.05};
  drive.noise << 0.0, 0.0, 1e-2, 1e-3;
  return drive;
}

// The same axis with all load-side quantities as the motor sees them.
Drive seen_from_the_motor(const Drive& axis) {
  const double n = axis.ratio;
  Drive seen = axis;
  seen.ratio = 1.0;
  seen.load_inertia /= n * n;
  seen.damping /= n * n;
  seen.load_friction = {.coulomb = axis.load_friction.coulomb / n,
                        .viscous = axis.load_friction.viscous / (n * n),
                        .width = axis.load_friction.width * n};
  seen.noise[Drive::load_position] *= n * n;
  seen.noise[Drive::load_velocity] *= n * n;
  return seen;
}

Vector<double, 4> state_seen(const Drive& axis, const Vector<double, 4>& x) {
  return {x[0], x[1] * axis.ratio, x[2], x[3] * axis.ratio};
}

Vector<double, 4> drawn_state() {
  return {*between(-1.0, 1.0), *between(-1.0, 1.0), *between(-10.0, 10.0), *between(-10.0, 10.0)};
}

TEST(GearRatio, GivesTheSameMotionFromEitherSide) {
  expect_holds([] {
    const Drive axis = drawn_drive();
    const Vector<double, 4> x = drawn_state();
    const double torque = *between(-5.0, 5.0), transmitted = *between(-50.0, 50.0);
    const Vector<double, 4> dx = axis.derivative(x, {torque, transmitted});
    const Vector<double, 4> seen =
        seen_from_the_motor(axis).derivative(state_seen(axis, x), {torque, transmitted / axis.ratio});
    RC_ASSERT(seen.isApprox(state_seen(axis, dx), 1e-11));
  });
}

// A law in the transmission, likewise: by unit, a stiffness goes with 1/N^2, an angle with N, a hardening
// with 1/N^2.
template <class Law>
Law law_seen(Law law, double n) {
  Law::visit_parameters(law, [n](const ParameterInfo& info, double& value) {
    if (info.unit == "N m/rad" || info.unit == "1/rad^2") value /= n * n;
    if (info.unit == "rad") value *= n;
  });
  return law;
}

template <class Model>
struct GearRatioOfLaws : testing::Test {};
using DrivesWithLaws =
    testing::Types<DriveWithLaw<double, CoulombAtan, DeadZone>, DriveWithLaw<double, CoulombAtan, SoftDeadZone>,
                   DriveWithLaw<double, CoulombAtan, LinearSpring>, DriveWithLaw<double, CoulombAtan, StiffeningSpring>,
                   DriveWithLaw<double, CoulombAtan, HystereticDeadZone>>;
TYPED_TEST_SUITE(GearRatioOfLaws, DrivesWithLaws);

TYPED_TEST(GearRatioOfLaws, GiveTheSameMotionFromEitherSide) {
  using Law = decltype(TypeParam::law);
  expect_holds([] {
    TypeParam axis, seen;
    axis.drive = drawn_drive();
    axis.law = with_distinct_parameters<Law>();
    seen.drive = seen_from_the_motor(axis.drive);
    seen.law = law_seen(axis.law, axis.drive.ratio);
    StateOf<TypeParam> x = StateOf<TypeParam>::Constant(0.3), as_seen = x;
    x.template head<4>() = drawn_state();
    as_seen.template head<4>() = state_seen(axis.drive, x.template head<4>());
    StateOf<TypeParam> dx = axis.derivative(x, Vector<double, 1>(1.0));
    dx.template head<4>() = state_seen(axis.drive, Vector<double, 4>(dx.template head<4>()));
    RC_ASSERT(seen.derivative(as_seen, Vector<double, 1>(1.0)).isApprox(dx, 1e-9));
  });
}

// And through the filter: the same samples give the same torque, as seen from either side, and its deviation.
// Rounding alone differs: 1e-8 of a deviation at the worst ratio and inertias.
TEST(GearRatio, GivesTheSameEstimateFromEitherSide) {
  expect_holds(
      [] {
        Drive axis = drawn_drive();
        axis.motor_inertia = *decades_between(1e-3, 0.1);
        axis.load_inertia = *decades_between(1e-3, 10.0);
        const double n = axis.ratio;
        Vector<double, 5> variances, variances_seen;
        variances << 1e-4, 1e-4, 1.0, 1.0, 100.0;
        variances_seen << 1e-4, 1e-4 * n * n, 1.0, n * n, 100.0 / (n * n);
        const Vector<double, 5> zero = Vector<double, 5>::Zero();
        using Model = FreeTorqueDrive<double>;
        Ekf<Model> filter({axis, 10.0, 0.0}, Gaussian<double, 5>::from_variances(zero, variances));
        Ekf<Model> seen({seen_from_the_motor(axis), 10.0 / n, 0.0},
                        Gaussian<double, 5>::from_variances(zero, variances_seen));
        for (int k = 0; k < 20; ++k) {
          const double motor = std::sin(0.3 * k), load = 0.2 * std::cos(0.2 * k);
          filter.correct({Drive::motor_velocity_output, motor, 1e-2});
          seen.correct({Drive::motor_velocity_output, motor, 1e-2});
          filter.correct({Drive::load_velocity_output, load, 1e-2});
          seen.correct({Drive::load_velocity_output, load * n, 1e-2 * n * n});
          filter.predict(Vector<double, 1>(0.5), 1e-4);
          seen.predict(Vector<double, 1>(0.5), 1e-4);
        }
        const double deviation = std::sqrt(filter.belief().covariance()(4, 4));
        RC_ASSERT(std::abs(seen.belief().mean[4] * n - filter.belief().mean[4]) < 1e-8 * deviation);
        RC_ASSERT(std::abs(std::sqrt(seen.belief().covariance()(4, 4)) * n / deviation - 1.0) < 1e-8);
      },
      200);
}

}  // namespace
}  // namespace tauhat
