// The thesis's experiments on link velocity: what the set-up must look like before an observer sees it. Numbers are
// those of the set-up's description, each from one record.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "tauhat/offline/reproduce/zampolini_identification.hpp"

namespace tauhat::zampolini {
namespace {

constexpr double kDegree = std::numbers::pi / 180.0;

double naive_fit(const Record& record) {
  return fit_percent(record.load_velocity, naive_velocity(record.motor_position, Plant{}.ratio));
}

// A move of 20 degrees at 1 rad/s and 8 rad/s^2: T_a = 0.25 s, and it lasts T_a + D / v.
TEST(ZampoliniMotion, AcceleratesBySquaredSines) {
  const MoveSequence moves(75.0 * kDegree, {{95.0 * kDegree, 1.0, 8.0, 1.0}}, 0.3);
  const double distance = 20.0 * kDegree;
  EXPECT_NEAR(moves.duration(), 0.3 + 0.25 + distance + 1.0, 1e-12);
  EXPECT_NEAR(moves.at(0.3 + 0.125).acceleration, 8.0, 1e-12);
  EXPECT_NEAR(moves.at(0.3 + 0.25).velocity, 1.0, 1e-12);
  EXPECT_NEAR(moves.at(0.3 + 0.25).position, 75.0 * kDegree + 0.125, 1e-12);
  EXPECT_NEAR(moves.at(0.3 + 0.125 + distance / 2.0).position, 85.0 * kDegree, 1e-12);
  EXPECT_NEAR(moves.at(moves.duration()).position, 95.0 * kDegree, 1e-12);
}

// Too short for 2 rad/s: v = sqrt(D a / 2), and no cruise.
TEST(ZampoliniMotion, StaysBelowASpeedThatItCannotReach) {
  const MoveSequence moves(0.0, {{-0.1, 2.0, 20.0, 0.0}}, 0.0);
  EXPECT_NEAR(moves.duration(), 2.0 * 2.0 * 1.0 / 20.0, 1e-12);
  EXPECT_NEAR(moves.at(0.1).velocity, -1.0, 1e-9);
}

TEST(ZampoliniPlant, RestsWhereItIsPlaced) {
  const Plant plant;
  const Plant::Mechanics x = plant.at_rest(87.0 * kDegree, kNeighbourPosition);
  const double gravity = plant.gravity_torque(x[Plant::load_position], x[Plant::neighbour_position]);
  const double current = gravity / plant.ratio / plant.torque_constant;
  EXPECT_NEAR(plant.joint_torque(x), gravity, 1e-6);
  const Plant::Mechanics rate = plant.derivative(x, 0.0, {current, 0.0, {kNeighbourPosition, 0.0, 0.0}});
  EXPECT_LT(rate.tail<3>().norm(), 1e-6);
  EXPECT_NEAR(plant.load_inertia(kNeighbourPosition), 14.3854, 1e-10);
  EXPECT_NEAR(plant.coupling_inertia(kNeighbourPosition), 3.4358, 1e-10);
}

// 0.5 A are 0.175 N m: less than the 0.45 N m that break the bristles away. They bend by some 5 mrad and hold.
TEST(ZampoliniPlant, IsHeldByFriction) {
  const Plant plant;
  AxisInMotion axis(plant, 87.0 * kDegree, kNeighbourPosition);
  const Plant::Mechanics start = axis.mechanics();
  const double gravity = plant.gravity_torque(start[Plant::load_position], start[Plant::neighbour_position]);
  const double current = gravity / plant.ratio / plant.torque_constant + 0.5;
  for (int k = 0; k < 80'000; ++k) axis.step(current, 0.0, {kNeighbourPosition, 0.0, 0.0}, kPeriod / 8.0);
  EXPECT_LT(axis.mechanics().tail<4>().norm(), 1e-3);
  const double moved = axis.mechanics()[Plant::motor_position] - start[Plant::motor_position];
  EXPECT_GT(moved, 3e-3);
  EXPECT_LT(moved, 2e-2);
  EXPECT_NEAR(axis.friction_torque(), 0.175, 0.02);
}

TEST(ZampoliniPlant, LosesTorqueAbove15Ampere) {
  const Plant plant;
  EXPECT_DOUBLE_EQ(plant.saturated(-15.0), -15.0);
  EXPECT_DOUBLE_EQ(plant.saturated(25.0), 25.0 * 0.85);
}

TEST(ZampoliniRecords, AreTheSameForTheSameSeed) {
  const Record a = exciting({.seed = 3}, 1.0), b = exciting({.seed = 3}, 1.0), c = exciting({.seed = 4}, 1.0);
  EXPECT_EQ(a.motor_position, b.motor_position);
  EXPECT_NE(a.motor_position, c.motor_position);
}

// Motor velocity over the ratio: 97.2 and 62.5 %, and 69.7 % with the wrist at 22 Hz, means of six seeds.
TEST(ZampoliniRecords, LeaveToTheNaiveVelocityWhatTheThesisSays) {
  EXPECT_NEAR(naive_fit(normal({.seed = 1})), 97.2, 0.7);
  EXPECT_NEAR(naive_fit(exciting({.seed = 1})), 62.5, 1.0);
  EXPECT_NEAR(naive_fit(exciting({.plant = with_wrist_at_22_hz(), .seed = 1})), 69.7, 1.0);
}

// At the true torque constant: 0.00813 and 0.403 by regression, 0.00814 and 0.394 at constant speed. Coulomb friction
// exceeds the 0.343 of the bristles by the mesh's and the link's.
TEST(ZampoliniIdentification, FindsFrictionAndGravity) {
  const Plant plant;
  const FrictionResult friction = identify_friction(friction_run({.seed = 1}), plant, plant.torque_constant);
  EXPECT_NEAR(friction.regression.viscous, 0.00813, 0.00008);
  EXPECT_NEAR(friction.regression.coulomb, 0.403, 0.004);
  EXPECT_NEAR(friction.constant_speed.viscous, 0.00814, 0.00008);
  EXPECT_NEAR(friction.constant_speed.coulomb, 0.394, 0.004);
  const ParameterSet truth = true_parameters();
  EXPECT_NEAR(friction.gravity_sine, truth.gravity_sine, 2.0);
  EXPECT_NEAR(friction.gravity_cosine, truth.gravity_cosine, 2.0);
}

// The nominal torque constant is 3 % low, and all that is measured in torque with it; the wrist, which the model lacks,
// takes two more from the stiffness.
TEST(ZampoliniIdentification, FindsTheModes) {
  const ParameterSet truth = true_parameters();
  ParameterSet start = nominal();
  start.joint.motor_viscous = truth.joint.motor_viscous;
  const ModalFit fit = identify_modes(identify_response({.seed = 1}), start);
  EXPECT_TRUE(fit.converged);
  EXPECT_TRUE(fit.undetermined().empty());
  const auto error = [](double found, double exact) { return std::abs(found / exact - 1.0); };
  EXPECT_LT(error(fit.joint.motor_inertia, truth.joint.motor_inertia), 0.035);
  EXPECT_LT(error(fit.joint.load_inertia, truth.joint.load_inertia), 0.035);
  EXPECT_LT(error(fit.joint.coupling_inertia, truth.joint.coupling_inertia), 0.035);
  EXPECT_LT(error(fit.joint.stiffness, truth.joint.stiffness), 0.06);
  EXPECT_LT(error(fit.joint.neighbour_stiffness, truth.joint.neighbour_stiffness), 0.031);
  EXPECT_LT(error(fit.joint.damping, truth.joint.damping), 0.15);
}

}  // namespace
}  // namespace tauhat::zampolini
