// Robots in a study: a table of joints or a URDF, frames, coupling, and the sentence that a mistake gets.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numbers>

#include "tauhat/offline/error.hpp"
#include "tauhat/offline/study/study.hpp"

namespace tauhat {
namespace {

using testing::HasSubstr;

const std::string kArm = R"toml(
[robot]
gravity = [0, 0, -9.81]
force = { frame = "tool", moment = true }
coupling = [[1, 0], [1, 1]]

[[robot.joint]]
name = "shoulder"
d = "320 mm"
ratio = 32
actuator_inertia = 0.36
inertia = { Izz = 0.4, mX = 0.1, m = 8.6 }
friction = { viscous = 7.9, coulomb = 7 }
limit = { lower = "-180 deg", upper = "180 deg", velocity = "287 deg/s" }

[[robot.joint]]
name = "arm"
type = "prismatic"
alpha = "-90 deg"
a = 0.1
limit.torque = "200 N"

[[robot.frame]]
name = "tool"
on = "arm"
xyz = [0, 0, "65 mm"]
)toml";

const std::string kLog = R"toml(
[log]
time = { column = "t", unit = "ms" }
[log.channels]
"shoulder.motor.position" = { column = "q1", unit = "deg" }
"shoulder.motor.torque" = { column = "i1", unit = "A", torque_constant = 0.2 }
"arm.position" = { column = "q2", unit = "mm" }
"arm.torque" = { column = "f2", unit = "N" }
)toml";

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  return text.replace(text.find(from), from.size(), to);
}

std::string problem_of(const std::string& text) {
  try {
    parse_study(text, "arm.toml");
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::wrong_use);
    return error.what();
  }
  return "no problem";
}

TEST(RobotStudy, ReadsATableOfJoints) {
  const Study study = parse_study(kArm + kLog, "arm.toml");
  const RobotSpec& robot = *study.robot;
  ASSERT_EQ(robot.count(), 2);
  EXPECT_DOUBLE_EQ(robot.robot.joint(0).placement().translation.z(), 0.32);
  EXPECT_DOUBLE_EQ(robot.robot.link(0).mass, 8.6);
  EXPECT_EQ(robot.robot.actuator_inertia()[0], 0.36);
  EXPECT_EQ(robot.robot.transmission().ratio()[0], 32.0);
  EXPECT_TRUE(robot.robot.transmission().is_coupled());
  EXPECT_EQ(robot.robot.joint(1).type(), JointType::prismatic);
  EXPECT_NEAR(robot.joints[0].limits.velocity, 287 * std::numbers::pi / 180, 1e-12);
  EXPECT_EQ(robot.joints[1].limits.torque, 200.0);
  EXPECT_EQ(friction_of(robot).coulomb[0], 7.0);
  EXPECT_TRUE(robot.force.with_moment);
  ASSERT_NE(robot.robot.find_frame("tool"), nullptr);
  EXPECT_DOUBLE_EQ(robot.robot.find_frame("tool")->placement.translation.z(), 0.065);
  EXPECT_DOUBLE_EQ(study.find_channel("shoulder.motor.torque")->spec.scale, 0.2);
  EXPECT_DOUBLE_EQ(study.find_channel("arm.position")->spec.scale, 1e-3);
  const std::vector<InertiaFault> faults = inertia_faults(robot);
  ASSERT_EQ(faults.size(), 2U);
  EXPECT_EQ(faults[0].link + " " + faults[0].what, "shoulder has an inertia that no body can have");
  EXPECT_EQ(faults[1].link + " " + faults[1].what, "arm has no inertia");
}

TEST(RobotStudy, TakesTheEffortOfJointStatesAsTorque) {
  const Study study = parse_study(kArm + "[log]\njoint_states = \"/left/joint_states\"\n", "arm.toml");
  ASSERT_NE(study.find_channel("arm.torque"), nullptr);
  EXPECT_EQ(study.find_channel("arm.torque")->spec.column, "left.joint_states.arm.effort");
  EXPECT_EQ(study.find_channel("shoulder.position")->spec.column, "left.joint_states.shoulder.position");
}

TEST(RobotStudy, SaysWhatIsMisspeltAndWhere) {
  EXPECT_EQ(problem_of(replaced(kArm, "ratio = 32", "ratoi = 32")),
            "arm.toml:10: unknown key \"ratoi\" in [robot.joint]; did you mean \"ratio\"?");
  EXPECT_EQ(problem_of(replaced(kArm, "frame = \"tool\"", "frame = \"tol\"")),
            "arm.toml:4: robot.force.frame = \"tol\": is not a frame of the robot; did you mean \"tool\"?");
  EXPECT_THAT(problem_of(replaced(kArm, "on = \"arm\"", "on = \"elbow\"")),
              HasSubstr("robot.frame.on = \"elbow\": is not a link of the robot; its frames are base, shoulder, arm"));
  EXPECT_THAT(problem_of(kArm + replaced(kLog, "arm.torque", "arm.torqe")),
              HasSubstr("unknown signal \"arm.torqe\" in [log.channels]; did you mean \"arm.torque\"?"));
}

TEST(RobotStudy, RefusesWhatNoRobotHas) {
  EXPECT_EQ(problem_of(replaced(kArm, "ratio = 32", "ratio = 0")),
            "arm.toml:10: robot.joint.ratio = 0: the motor would not move the joint");
  EXPECT_THAT(problem_of(replaced(kArm, "[[1, 0], [1, 1]]", "[[1, 0], [1, 2]]")), HasSubstr("ones on its diagonal"));
  EXPECT_THAT(problem_of(replaced(kArm, "[[1, 0], [1, 1]]", "[[1]]")),
              HasSubstr("robot.coupling: has 1 rows, and the robot 2 joints"));
  EXPECT_THAT(problem_of(replaced(kArm, "\"-180 deg\"", "\"190 deg\"")), HasSubstr("must be below limit.upper"));
  EXPECT_THAT(problem_of(replaced(kArm, "name = \"arm\"", "name = \"shoulder\"")), HasSubstr("another joint"));
  EXPECT_THAT(problem_of(replaced(kArm, "limit.torque = \"200 N\"", "limit.torque = \"200 N m\"")),
              HasSubstr("has the wrong unit; give it in N"));
  EXPECT_THAT(problem_of("[robot]\n"), HasSubstr("robot.joint is missing: give urdf"));
  EXPECT_THAT(problem_of("[robot]\nurdf = \"none.urdf\"\n"), HasSubstr("none.urdf: no such file"));
  EXPECT_EQ(problem_of(kArm + "[drive]\nmodel = \"axis\"\n"), "arm.toml:27: [drive] has no place beside [robot]");
}

// A filter takes steps as long as the stamps say; an observer's are alike.
TEST(RobotStudy, OnlyObserversHaveARateOfTheirOwn) {
  for (const char* key : {"rate = \"1 kHz\"", "period = \"1 ms\""}) {
    const auto with = [&](const char* kind) {
      return kArm + kLog + "[estimator]\nkind = \"" + kind + "\"\n" + key + "\n";
    };
    const std::string name = std::string(key).substr(0, std::string(key).find(' '));
    EXPECT_THAT(problem_of(with("ekf")), HasSubstr("estimator." + name +
                                                   ": is of the observers, whose steps are alike; "
                                                   "kind = \"ekf\" takes steps as long as the stamps say"));
    EXPECT_NO_THROW(parse_study(with("momentum-observer"), "arm.toml")) << key;
  }
}

TEST(RobotStudy, EveryJointNeedsItsPositionAndItsTorqueOnce) {
  EXPECT_EQ(problem_of(kArm + replaced(kLog, "\"arm.torque\" = { column = \"f2\", unit = \"N\" }\n", "")),
            "arm.toml: [log.channels] has neither arm.torque nor arm.motor.torque: every joint's torque must be in the "
            "log");
  EXPECT_THAT(problem_of(kArm + kLog + "\"arm.motor.position\" = { column = \"q3\" }\n"),
              HasSubstr("has arm.position and arm.motor.position: keep the line"));
}

}  // namespace
}  // namespace tauhat
