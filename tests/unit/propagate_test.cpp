// One step of mean and transition: RK4 against closed forms, and the choice of sub-steps.
#include "tauhat/core/filters/propagate.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "support/core_types.hpp"
#include "support/differences.hpp"
#include "support/linear_model.hpp"

namespace tauhat {
namespace {

template <class M>
struct Next {
  StateOf<M> mean;
  Discrete<double, M::kStates> step;
};

template <class M>
Next<M> propagated(const M& model, const StateOf<M>& x, const InputOf<M>& u, double dt) {
  StepCache<double, M::kStates> cache;
  const auto next = propagate(model, x, u, dt, cache);
  return {next.mean, next.step};
}

// Constant acceleration, RK4's own order: x = x0 + v t + u t^2 / 2.
TEST(Propagate, IsExactForConstantAcceleration) {
  const auto chain = integrator_chain<double, 2>(1.0);
  const auto next = propagated(chain, Vector<double, 2>(1.0, 2.0), Vector<double, 1>(3.0), 0.5);
  EXPECT_NEAR(next.mean[0], 1.0 + 2.0 * 0.5 + 3.0 * 0.125, 1e-15);
  EXPECT_NEAR(next.mean[1], 2.0 + 3.0 * 0.5, 1e-15);
}

// Of x' = -x, RK4 leaves (h)^5 / 120 of the truth per step; the transition is exact.
TEST(Propagate, LeavesTheRemainderOfRungeKutta) {
  LinearModel<double, 1, 1> decay;
  decay.a(0, 0) = -1.0;
  for (const double h : {0.01, 0.1, 0.4}) {
    const auto next = propagated(decay, Vector<double, 1>(1.0), Vector<double, 1>(0.0), h);
    EXPECT_NEAR(next.mean[0], std::exp(-h), std::pow(h, 5) / 120.0 + 1e-15) << h;
    EXPECT_NEAR(next.step.transition(0, 0), std::exp(-h), 1e-14) << h;
  }
}

TEST(Propagate, TakesAsManySubstepsAsTheFastestRateNeeds) {
  LinearModel<double, 1, 1> decay;
  decay.a(0, 0) = -100.0;
  const Vector<double, 1> x(1.0), u(0.0);
  EXPECT_EQ(substeps_for(decay, x, u, 0.001), 1);
  EXPECT_EQ(substeps_for(decay, x, u, 0.020), 1);  // rate * h = 2, the limit
  EXPECT_EQ(substeps_for(decay, x, u, 0.021), 2);
  EXPECT_EQ(substeps_for(decay, x, u, 0.100), 5);
  EXPECT_EQ(substeps_for(decay, x, u, 100.0), 32);  // the bound of work
}

// A mesh that slides under 2 N m brakes with 0.2 N m more, over a width of 0.1 rad/s: 2 N m s/rad on 1e-3 kg m^2.
TEST(Propagate, TakesMoreSubstepsUnderLoad) {
  TwoMassDrive<double, LoadDependentCoulomb> drive;
  drive.motor_friction = {{.coulomb = 0.0, .viscous = 0.0, .width = 0.1}, 0.1};
  const Vector<double, 4> rest = Vector<double, 4>::Zero();
  EXPECT_EQ(substeps_for(drive, rest, Vector<double, 2>(0.0, 0.0), 0.01), 1);
  EXPECT_EQ(substeps_for(drive, rest, Vector<double, 2>(0.0, 2.0), 0.01), 10);
  EXPECT_EQ(substeps_for(drive, rest, Vector<double, 2>(0.0, -2.0), 0.01), 10);
}

// A rigid turn under constant torque settles at (u - coulomb) / viscous, here from rest over 20 time
// constants.
TEST(Propagate, SettlesAtTorqueOverViscousFriction) {
  TwoMassDrive<double, CoulombTanh> drive;
  drive.motor_friction = {.coulomb = 0.1, .viscous = 0.02, .width = 0.01};
  Vector<double, 4> x = Vector<double, 4>::Zero();
  for (int k = 0; k < 1000; ++k) x = propagated(drive, x, Vector<double, 2>(0.5, 0.0), 1e-3).mean;
  EXPECT_NEAR(x[drive.motor_velocity], (0.5 - 0.1) / 0.02, 1e-6);
}

// What flows through the transmission leaves the total momentum alone: J_m w_m N + J_l w_l, whatever tau and
// D.
TEST(Propagate, KeepsTheMomentumOfAFrictionlessDrive) {
  TwoMassDrive<double> drive;
  drive.motor_inertia = 8e-4, drive.load_inertia = 2e-2, drive.ratio = 5.0, drive.damping = 0.3;
  Vector<double, 4> x(0.1, -0.2, 30.0, -4.0);
  const auto momentum = [&] { return drive.ratio * drive.motor_inertia * x[2] + drive.load_inertia * x[3]; };
  const double start = momentum();
  for (int k = 0; k < 1000; ++k) x = propagated(drive, x, Vector<double, 2>(0.0, std::sin(0.01 * k)), 1e-3).mean;
  EXPECT_NEAR(momentum(), start, 1e-12 * std::abs(start));
}

// A damper between two free masses decays at D (1 / (N^2 J_m) + 1 / J_l): the fastest rate must not be less.
TEST(Propagate, ResolvesAStiffDamper) {
  TwoMassDrive<double> drive;
  drive.damping = 2.0;  // 2 N m s/rad on 1e-3 kg m^2 on either side: 4000 1/s
  EXPECT_GE(drive.fastest_rate(), 4000.0);
  Vector<double, 4> x(0.0, 0.0, 1.0, -1.0);
  for (int k = 0; k < 20; ++k) x = propagated(drive, x, Vector<double, 2>::Zero(), 1e-3).mean;
  EXPECT_LT(std::abs(x[2] - x[3]), 1e-12);  // 80 time constants; sub-steps of two of them leave a third each, 3^-40
}

// Friction at standstill: a pole of 2e4 1/s, far beyond the sub-steps of one millisecond; velocity decays all
// the same.
TEST(Propagate, ComesToRestUnderCoulombFriction) {
  TwoMassDrive<double> drive;
  drive.motor_inertia = 8e-4;
  drive.motor_friction = {.coulomb = 0.27, .viscous = 0.01, .width = 0.01};
  Vector<double, 4> x(0.0, 0.0, 1.0, 0.0);
  for (int k = 0; k < 40; ++k) x = propagated(drive, x, Vector<double, 2>::Zero(), 5e-4).mean;
  EXPECT_LT(std::abs(x[drive.motor_velocity]), 1e-3);  // 1 rad/s is braked to rest in J w / coulomb = 3 ms
}

// The cache returns the same step for the same A, q, dt and a new one when any of them changes.
TEST(StepCache, NoticesEveryChange) {
  StepCache<double, 1> cache;
  const auto phi = [&](double a, double q, double dt) {
    const auto& step = cache.discretised(Matrix<double, 1>(a), Vector<double, 1>(q), dt);
    return std::pair(step.transition(0, 0), step.noise(0, 0));
  };
  const auto first = phi(-1.0, 1.0, 0.1);
  EXPECT_EQ(phi(-1.0, 1.0, 0.1), first);
  EXPECT_NE(phi(-2.0, 1.0, 0.1).first, first.first);
  EXPECT_NE(phi(-2.0, 2.0, 0.1).second, first.second);
  EXPECT_NEAR(phi(-1.0, 1.0, 0.2).first, std::exp(-0.2), 1e-15);
}

}  // namespace
}  // namespace tauhat
