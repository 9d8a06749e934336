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

// Each joint slides by the law of core/friction that the name says, and no other.
TEST(JointFriction, SlidesByTheLawOfItsName) {
  Draw draw(7);
  Friction friction = friction_of(draw, 3);
  friction.offset.setZero(), friction.asymmetry.setZero();
  friction.excess << 0.4, 1.1, 0.2;
  friction.decay << 5.0, 20.0, 60.0;
  const auto expect = [&](SlidingLaw kind, auto&& law_of) {
    friction.law = kind;
    for (const double w : {-1.0, -0.06, 0.0, 0.03, 0.4}) {
      const Friction::Vector velocity = Friction::Vector::Constant(3, w);
      const auto both = friction.torque_and_slope(velocity);
      for (int i = 0; i < 3; ++i) {
        const auto law = law_of(i);
        EXPECT_DOUBLE_EQ(both.torque[i], law.torque(w)) << kSlidingLaws[static_cast<std::size_t>(kind)] << " at " << w;
        EXPECT_DOUBLE_EQ(both.slope[i], law.torque_and_slope(w).slope);
      }
    }
  };
  const auto falling = [&]<class Law>(int i, Law law) {
    law.coulomb = friction.coulomb[i], law.viscous = friction.viscous[i], law.width = friction.width;
    law.excess = friction.excess[i], law.decay = friction.decay[i];
    return law;
  };
  expect(SlidingLaw::exponential, [&](int i) { return falling(i, Exponential<double>{}); });
  expect(SlidingLaw::hyperbolic, [&](int i) { return falling(i, Hyperbolic<double>{}); });
  expect(SlidingLaw::stribeck, [&](int i) {
    return Stribeck<double>{.coulomb = friction.coulomb[i],
                            .viscous = friction.viscous[i],
                            .width = friction.width,
                            .breakaway = friction.coulomb[i] + friction.excess[i],
                            .stribeck_velocity = 1.0 / friction.decay[i]};
  });
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
