// Friction of a robot's actuators against its formula, and as the joints see it.
#include "tauhat/core/robot/joint_friction.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "support/robots.hpp"

namespace tauhat {
namespace {

using Friction = JointFriction<double, Eigen::Dynamic>;

Friction friction_of(Draw& draw, int joints) {
  Friction friction(joints);
  for (int i = 0; i < joints; ++i) {
    friction.viscous[i] = draw.between(0.5, 8.0);
    friction.coulomb[i] = draw.between(1.0, 8.0);
    friction.offset[i] = draw.between(-0.5, 0.5);
    friction.asymmetry[i] = draw.between(-0.4, 0.4);
  }
  return friction;
}

TEST(JointFriction, IsOffsetViscousAndSmoothedCoulombOfEachDirectionAndJoint) {
  Draw draw(3);
  const Friction friction = friction_of(draw, 4);
  Friction::Vector velocity(4);
  velocity << -1.5, -0.02, 0.0, 0.04;
  const Friction::Vector torque = friction.torque(velocity);
  for (int i = 0; i < 4; ++i) {
    const double expected =
        friction.offset[i] + friction.viscous[i] * velocity[i] +
        (friction.coulomb[i] + friction.asymmetry[i] * velocity[i]) * std::tanh(velocity[i] / friction.width);
    EXPECT_NEAR(torque[i], expected, 1e-13);
  }
}

TEST(JointFriction, SlopeIsTheTorquesDerivative) {
  Draw draw(4);
  const Friction friction = friction_of(draw, 5);
  Friction::Vector velocity(5), step = Friction::Vector::Constant(5, 1e-6);
  velocity << -0.3, -0.03, 0.0, 0.02, 2.0;
  const Friction::Vector difference =
      (friction.torque(velocity + step) - friction.torque(velocity - step)).cwiseQuotient(2.0 * step);
  EXPECT_LT((friction.slope(velocity) - difference).cwiseAbs().maxCoeff(), 1e-6);
}

// A wrist whose last motor follows the joint before: its friction acts on both, and only ever takes power.
TEST(JointFriction, OfACoupledWristActsOnBothJoints) {
  Draw draw(5);
  const Robot<double> robot = random_robot(draw, 3, Shape::chain);
  Friction friction(3);
  friction.coulomb[2] = 2.0;
  Friction::Vector velocity(3);
  velocity << 0.0, 0.5, 0.1;
  const Friction::Vector torque = friction_torque(robot.transmission(), friction, velocity);
  const double own = 2.0 * std::tanh((0.8 * 0.5 + 0.1) / friction.width);
  EXPECT_NEAR(torque[0], 0.0, 1e-15);
  EXPECT_NEAR(torque[1], 0.8 * own, 1e-12);
  EXPECT_NEAR(torque[2], own, 1e-12);
  EXPECT_GT(torque.dot(velocity), 0.0);
}

TEST(JointFriction, CastKeepsTheLaw) {
  Draw draw(6);
  const Friction friction = friction_of(draw, 6);
  const JointFriction<float, 6> narrow = friction.cast<float, 6>();
  const JointVector<float, 6> velocity = JointVector<float, 6>::Constant(0.03F);
  const Friction::Vector wide = friction.torque(velocity.cast<double>());
  EXPECT_LT((narrow.torque(velocity).cast<double>() - wide).cwiseAbs().maxCoeff(), 1e-5);
}

}  // namespace
}  // namespace tauhat
