// The joint's matrices against those of the thesis, written out with their signs corrected; friction's exact step
// against one that is integrated finely.
#include <gtest/gtest.h>

#include <cmath>

#include "tauhat/core/friction/mesh_lugre.hpp"
#include "tauhat/core/models/linear_joint.hpp"
#include "tauhat/core/unknowns/random_walk.hpp"
#include "tauhat/core/unknowns/resonance.hpp"

namespace tauhat {
namespace {

using Joint = ElasticJoint<double>;

Joint robot_axis() {
  Joint joint;
  joint.motor_inertia = 7e-4, joint.motor_viscous = 0.008, joint.ratio = 120.0;
  joint.stiffness = 1.2e5, joint.damping = 80.0, joint.load_inertia = 14.3854, joint.load_viscous = 2.0;
  joint.coupling_inertia = 3.4358, joint.neighbour_inertia = 2.7927;
  joint.neighbour_stiffness = 3e4, joint.neighbour_damping = 12.0, joint.neighbour_viscous = 0.5;
  return joint;
}

ElasticJoint<double, false> robot_axis_alone() {
  ElasticJoint<double, false> joint;
  joint.motor_inertia = 7e-4, joint.motor_viscous = 0.008, joint.ratio = 120.0;
  joint.stiffness = 1.2e5, joint.damping = 80.0, joint.load_inertia = 14.3854, joint.load_viscous = 2.0;
  return joint;
}

// x = [v2 v3 vm q2 q3 qm] of the thesis, by the places that its states have here.
constexpr int kThesisOrder[] = {Joint::load_velocity, Joint::neighbour_velocity, Joint::motor_velocity,
                                Joint::load_position, Joint::neighbour_position, Joint::motor_position};

TEST(ElasticJoint, HasTheMatricesOfTheThesis) {
  const double m22 = 14.3854, m23 = 3.4358, m33 = 2.7927, k2 = 1.2e5, k3 = 3e4, n = 120.0, jm = 7e-4;
  const double beta_ml = 80.0, b2 = 2.0 + beta_ml, b3 = 0.5 + 12.0, det = m22 * m33 - m23 * m23;
  Matrix<double, 6> expected;
  expected << -m33 * b2, m23 * b3, m33 * beta_ml / n, -m33 * k2, m23 * k3, m33 * k2 / n,  //
      m23 * b2, -m22 * b3, -m23 * beta_ml / n, m23 * k2, -m22 * k3, -m23 * k2 / n,        //
      0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0;
  expected.topRows<2>() /= det;
  expected.row(2) << beta_ml / (n * jm), 0, -(0.008 + beta_ml / (n * n)) / jm, k2 / (n * jm), 0, -k2 / (n * n * jm);
  const auto joint = linear_joint(robot_axis());
  for (int i = 0; i < 6; ++i) {
    for (int j = 0; j < 6; ++j) {
      EXPECT_NEAR(joint.dynamics(kThesisOrder[i], kThesisOrder[j]), expected(i, j), 1e-9 * std::abs(expected(i, j)))
          << i << ' ' << j;
    }
  }
  // B1 = [-M33, M23, 0 ...] / det: gravity pulls the link back and, through the coupling, pushes the neighbour.
  EXPECT_NEAR(joint.by_torque(Joint::load_velocity, load_torque_input), -m33 / det, 1e-15);
  EXPECT_NEAR(joint.by_torque(Joint::neighbour_velocity, load_torque_input), m23 / det, 1e-15);
  EXPECT_NEAR(joint.by_torque(Joint::motor_velocity, motor_torque_input), 1.0 / jm, 1e-9);
}

TEST(ElasticJoint, AutomaticJacobianIsTheLinearSystem) {
  const Joint joint = robot_axis();
  const auto at = linearise(joint, StateOf<Joint>(StateOf<Joint>::Ones()), InputOf<Joint>(InputOf<Joint>::Ones()));
  EXPECT_NEAR((at.by_state - linear_joint(joint).dynamics).norm(), 0.0, 1e-8);
}

TEST(ElasticJoint, UnknownsTakeAnyInput) {
  const auto alone = robot_axis_alone();
  using Alone = ElasticJoint<double, false>;
  // 5: A(1,5) = -1 / M22, row 5 = 0
  const auto five = linear_joint(Augmented<Alone, RandomWalk<Alone::external_torque>>{alone, 1.0, 0.0});
  EXPECT_NEAR(five.dynamics(Alone::load_velocity, 4), -1.0 / 14.3854, 1e-15);
  EXPECT_EQ(five.dynamics.row(4).norm(), 0.0);
  EXPECT_EQ(five.output(index_of(kLinearJointSignals, "load.external_torque")), (Matrix<double, 1, 5>::Unit(4)));
  // 6d: A(3,7) = -1 / Jm, A(7,7) = -2 pi 0.2
  const auto disturbed =
      linear_joint(Augmented<Joint, RandomWalk<Joint::motor_disturbance>>{robot_axis(), 1.0, 1.2566});
  EXPECT_NEAR(disturbed.dynamics(Joint::motor_velocity, 6), -1.0 / 7e-4, 1e-9);
  EXPECT_NEAR(disturbed.dynamics(6, 6), -1.2566, 1e-15);
  // 7: r5 = e6', r6 = [0 0 0 0 -wn^2 -2 zeta wn wn^2], r7 = 0
  const auto seven = linear_joint(Augmented<Alone, Resonance<Alone::external_torque>>{alone, 20.0, 0.2, 1.0, 0.0});
  const double wn = 2.0 * M_PI * 20.0;
  EXPECT_NEAR(seven.dynamics(4, 5), 1.0, 1e-15);
  EXPECT_NEAR(seven.dynamics(5, 4), -wn * wn, 1e-9);
  EXPECT_NEAR(seven.dynamics(5, 5), -2.0 * 0.2 * wn, 1e-9);
  EXPECT_NEAR(seven.dynamics(5, 6), wn * wn, 1e-9);
  EXPECT_EQ(seven.dynamics.row(6).norm(), 0.0);
}

// A torque at the link shakes both links: the density is L q L^T, whose trace is the sum of both.
TEST(ElasticJoint, NoiseAtTheLinkShakesTheNeighbour) {
  Joint joint = robot_axis();
  joint.torque_noise << 0.0, 0.1, 0.0;
  const double det = 14.3854 * 2.7927 - 3.4358 * 3.4358;
  const auto density = joint.noise_density();
  EXPECT_NEAR(density(Joint::load_velocity, Joint::load_velocity), 0.1 * std::pow(2.7927 / det, 2), 1e-12);
  EXPECT_NEAR(density(Joint::load_velocity, Joint::neighbour_velocity), -0.1 * 2.7927 * 3.4358 / (det * det), 1e-12);
  EXPECT_EQ(density(Joint::motor_velocity, Joint::motor_velocity), 0.0);
}

MeshLuGre<double> mesh() {
  MeshLuGre<double> law;
  law.bristles = {.bristle_stiffness = 40.0,
                  .bristle_damping = 0.03,
                  .viscous = 0.0,
                  .coulomb = 0.343,
                  .breakaway = 0.45,
                  .stribeck_velocity = 3.0};
  law.load_share = 0.04, law.fading_velocity = 5.0;
  return law;
}

// At a held velocity the bristle follows z' = v - r z exactly: as ten thousand small steps do.
TEST(MeshLuGre, StepsAsFineStepsDo) {
  const MeshLuGre<double> law = mesh();
  for (const double velocity : {-40.0, -0.5, -1e-6, 0.0, 0.02, 3.0, 300.0}) {
    double z = 0.004;
    constexpr int kSteps = 10000;
    for (int i = 0; i < kSteps; ++i) {
      const double h = 4e-4 / kSteps, middle = z + 0.5 * h * law.memory_rate(velocity, z, 2.0);
      z += h * law.memory_rate(velocity, middle, 2.0);
    }
    EXPECT_NEAR(law.step(velocity, 0.004, 2.0, 4e-4).memory, z, 1e-9) << velocity;
  }
}

TEST(MeshLuGre, GradientsAreDifferences) {
  const MeshLuGre<double> law = mesh();
  for (const double velocity : {-20.0, -0.3, 0.7, 50.0}) {
    const auto at = law.step(velocity, 0.003, 1.5, 4e-4);
    const double by[3] = {1e-6, 1e-8, 1e-6};
    for (int i = 0; i < 3; ++i) {
      double up[3] = {velocity, 0.003, 1.5}, down[3] = {velocity, 0.003, 1.5};
      up[i] += by[i], down[i] -= by[i];
      const auto above = law.step(up[0], up[1], up[2], 4e-4), below = law.step(down[0], down[1], down[2], 4e-4);
      const double force = (above.force - below.force) / (2.0 * by[i]);
      EXPECT_NEAR(at.force_gradient[i], force, 1e-5 * (1.0 + std::abs(force))) << velocity << ' ' << i;
      const double memory = (above.memory - below.memory) / (2.0 * by[i]);
      EXPECT_NEAR(at.memory_gradient[i], memory, 1e-5 * (1.0 + std::abs(memory))) << velocity << ' ' << i;
    }
  }
}

// Slid for long, the bristle carries the level that mesh and Stribeck's bump give it.
TEST(MeshLuGre, SlidesAtItsLevel) {
  const MeshLuGre<double> law = mesh();
  double z = 0.0;
  for (int i = 0; i < 1000; ++i) z = law.step(10.0, z, 2.0, 4e-4).memory;
  const double level = 0.343 + 0.04 * 2.0 + (0.45 - 0.343) * std::exp(-std::pow(10.0 / 3.0, 2));
  EXPECT_NEAR(40.0 * z, level, 1e-9);
}

}  // namespace
}  // namespace tauhat
