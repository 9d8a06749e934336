// A study with an identified robot: it is read back, and what nobody identified stays, comments too.
#include "tauhat/offline/study/robot_rewrite.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tauhat/offline/error.hpp"
#include "tauhat/offline/study/study.hpp"

namespace tauhat {
namespace {

using testing::HasSubstr;
using testing::Not;

// Every way to write a joint's properties.
const std::string kArm = R"toml(# τ̂ of two joints
[robot]
gravity = [0, 0, -9.81]

[[robot.joint]]   # the first
name = "shoulder"
inertia = { Ixx = 0.3, Iyy = 0.3, Izz = 0.4, m = 8.6 }   # from the drawing
actuator_inertia = 0.36
d = "320 mm"
friction.viscous = 7.9
friction.coulomb = 7   # a guess

[[robot.joint]]
name = "elbow"
alpha = "-90 deg"
[robot.joint.limit]
velocity = 3
[robot.joint.friction]
viscous = 1

[[robot.frame]]
name = "tool"
on = "elbow"
)toml";

RobotSpec identified() {
  RobotSpec robot = *parse_study(kArm, "arm.toml").robot;
  Robot<double>::Parameters parameters = robot.robot.parameters();
  for (int k = 0; k < parameters.size(); ++k) parameters[k] = 0.1234567891 * (k + 1);
  robot.robot.set_parameters(parameters);
  robot.joints[0].friction = {1.5, 2.5, -0.25, 0.125};
  robot.joints[1].friction = {0.1, 0.2, 0.3, -0.4};
  robot.joints[1].residual = 0.07;
  return robot;
}

TEST(StudyWithRobot, IsReadBack) {
  const RobotSpec robot = identified();
  const std::string text = study_with_robot(kArm, "arm.toml", robot, "");
  const RobotSpec again = *parse_study(text, "arm.toml").robot;
  EXPECT_LT((again.robot.parameters() - robot.robot.parameters()).cwiseAbs().maxCoeff(), 1e-8);
  for (std::size_t j = 0; j < 2; ++j) {
    EXPECT_EQ(again.joints[j].friction.viscous, robot.joints[j].friction.viscous);
    EXPECT_EQ(again.joints[j].friction.coulomb, robot.joints[j].friction.coulomb);
    EXPECT_EQ(again.joints[j].friction.offset, robot.joints[j].friction.offset);
    EXPECT_EQ(again.joints[j].friction.asymmetry, robot.joints[j].friction.asymmetry);
  }
  EXPECT_EQ(again.joints[1].residual, 0.07);
  EXPECT_EQ(again.joints[1].limits.velocity, 3.0);
  EXPECT_DOUBLE_EQ(again.robot.joint(0).placement().translation.z(), 0.32);
  EXPECT_NE(again.find_frame("tool"), nullptr);
}

TEST(StudyWithRobot, KeepsCommentsAndReplacesWhatItFound) {
  const std::string text = study_with_robot(kArm, "arm.toml", identified(), "");
  EXPECT_THAT(text, HasSubstr("# τ̂ of two joints\n"));
  EXPECT_THAT(text, HasSubstr("[[robot.joint]]   # the first\n"));
  EXPECT_THAT(text, Not(HasSubstr("a guess")));
  EXPECT_THAT(text, Not(HasSubstr("[robot.joint.friction]")));
  // And a second time nothing changes.
  EXPECT_EQ(study_with_robot(text, "arm.toml", identified(), ""), text);
}

TEST(StudyWithRobot, RefusesJointsInOneLine) {
  const std::string text = "[robot]\njoint = [{ name = \"a\" }]\n";
  const RobotSpec robot = *parse_study(text, "arm.toml").robot;
  try {
    study_with_robot(text, "arm.toml", robot, "");
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "arm.toml:2: joints in one line cannot be written back: list each as [[robot.joint]]");
  }
}

}  // namespace
}  // namespace tauhat
