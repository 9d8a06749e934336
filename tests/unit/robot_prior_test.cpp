// What a fit to a robot starts from: the study's numbers, and guesses that can exist where it has none.
#include "tauhat/offline/robot/robot_prior.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/moved_robot.hpp"
#include "tauhat/offline/robot/robot_identification.hpp"

namespace tauhat {
namespace {

using testing::ElementsAre;

// The moved robot as a study has it.
RobotSpec spec_of(const MovedRobot& moved) {
  RobotSpec spec;
  spec.robot = moved.columns.robot_with(moved.parameters);
  const auto friction = moved.columns.friction_with(moved.parameters);
  for (int i = 0; i < spec.count(); ++i) {
    RobotJoint joint;
    joint.name = "j" + std::to_string(i + 1), joint.link = "link" + std::to_string(i + 1);
    joint.friction = {friction.viscous[i], friction.coulomb[i], 0.0, 0.0};
    spec.joints.push_back(joint);
  }
  return spec;
}

TEST(RobotPrior, IsTheStudyWhereItKnowsAll) {
  const MovedRobot moved = moved_robot(3);
  const RobotPrior prior = robot_prior(spec_of(moved), moved.columns, moved.base, moved.truth());
  EXPECT_TRUE(prior.guessed_links.empty());
  EXPECT_EQ(prior.parameters, moved.parameters);
  EXPECT_LT((prior.known_base(moved.base) - moved.truth()).norm(), 1e-9);
}

TEST(RobotPrior, GuessesBodiesActuatorsAndFrictionThatCanExist) {
  const MovedRobot moved = moved_robot(3);
  RobotSpec spec = spec_of(moved);
  spec.robot.set_link(1, {});
  spec.robot.actuator_inertia().setZero();
  for (RobotJoint& joint : spec.joints) joint.friction = {};
  const RobotPrior prior = robot_prior(spec, moved.columns, moved.base, moved.truth());
  EXPECT_THAT(prior.guessed_links, ElementsAre("link2"));
  EXPECT_TRUE(inertia_faults([&] {
                RobotSpec guessed = spec;
                guessed.robot.set_parameters(prior.parameters.head(moved.columns.inertial()));
                return guessed;
              }())
                  .empty());
  // Friction is a group by itself: what was found is what it starts from.
  for (int c = moved.columns.inertial(); c < moved.columns.count(); ++c)
    EXPECT_NEAR(prior.parameters[c], moved.parameters[c], 1e-9);
  EXPECT_TRUE((prior.parameters.segment(30, 3).array() > 0.0).all());
}

// Whatever the study lacks, bodies come out that can exist and that have the torques of the record.
TEST(RobotIdentification, FindsBodiesWithoutKnowingAny) {
  const MovedRobot moved = moved_robot(3);
  RobotSpec spec = spec_of(moved);
  for (int i = 0; i < 3; ++i) spec.robot.set_link(i, {});
  spec.robot.actuator_inertia().setZero();
  for (RobotJoint& joint : spec.joints) joint.friction = {};
  const RobotIdentification identification(spec);
  const RobotFit fit = identification.fit({moved.record({1e-5, 0.05}, 1)});
  const RobotPrior prior = robot_prior(spec, identification.columns(), identification.base(), fit.values);
  const ConsistentFit bodies = identification.consistent(fit, prior);
  EXPECT_TRUE(bodies.converged);
  EXPECT_GT(bodies.smallest_eigenvalue.minCoeff(), 0.0);
  EXPECT_LT(torque_left(fit, bodies.base), 1.05);
  const RobotSpec found = identification.with_parameters(bodies.parameters);
  EXPECT_TRUE(inertia_faults(found).empty());
  EXPECT_NEAR(found.joints[1].friction.coulomb, moved.parameters[moved.columns.inertial() + 3], 0.1);
}

}  // namespace
}  // namespace tauhat
