// Robots from URDF: what is read, what is merged, what is refused by name, and what is written back.
#include "tauhat/offline/robot/urdf.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fmt/format.h>

#include "tauhat/core/robot/inverse_dynamics.hpp"
#include "tauhat/offline/error.hpp"
#include "tauhat/offline/robot/urdf_write.hpp"

namespace tauhat {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::Field;
using testing::HasSubstr;
using testing::IsEmpty;
using Vec = JointVector<double, Eigen::Dynamic>;

std::string inertial(const std::string& xyz, double mass) {
  return fmt::format(
      "<inertial><origin xyz=\"{}\" rpy=\"0.1 0.2 0.3\"/><mass value=\"{}\"/>"
      "<inertia ixx=\"0.02\" ixy=\"0.001\" ixz=\"0\" iyy=\"0.03\" iyz=\"0.002\" izz=\"0.025\"/></inertial>",
      xyz, mass);
}

std::string link(const std::string& name, const std::string& inside) {
  return fmt::format("  <link name=\"{}\">{}</link>\n", name, inside);
}

std::string joint(const std::string& name, const std::string& type, const std::string& parent, const std::string& child,
                  const std::string& more = "") {
  return fmt::format(
      "  <joint name=\"{}\" type=\"{}\"><parent link=\"{}\"/><child link=\"{}\"/><origin xyz=\"0.1 0 0.2\" "
      "rpy=\"0 0.5 1\"/><axis xyz=\"0 0 2\"/><limit lower=\"-1\" upper=\"2\" effort=\"30\" "
      "velocity=\"3\"/>{}</joint>\n",
      name, type, parent, child, more);
}

std::string robot(const std::string& inside) { return "<robot name=\"arm\">\n" + inside + "</robot>\n"; }

// base - a - b = c (fixed) - d, which slides; e is a frame at the base.
const std::string kArm = robot(
    "  <!-- <link name=\"ghost\"/> -->\n" + link("base", "") + link("a", inertial("0 0 0.1", 3.0)) +
    link("b", inertial("0.1 0 0", 2.0)) + link("c", inertial("0 0.05 0", 0.5)) + link("d", inertial("0 0 0", 1.0)) +
    "  <link name=\"e\"/>\n" + joint("first", "revolute", "base", "a", "<dynamics damping=\"0.5\" friction=\"0.2\"/>") +
    joint("second", "continuous", "a", "b") + joint("weld", "fixed", "b", "c") + joint("slide", "prismatic", "c", "d") +
    joint("plate", "fixed", "base", "e"));

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  return text.replace(text.find(from), from.size(), to);
}

std::string refusal(const std::string& text, const std::string& tip = "") {
  try {
    parse_urdf(text, "arm.urdf", tip);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::wrong_use);
    return error.what();
  }
  return "no problem";
}

TEST(Urdf, MergesFixedJointsAndKeepsTheirFrames) {
  const RobotDescription arm = parse_urdf(kArm, "arm.urdf");
  ASSERT_EQ(arm.robot.joints(), 3);
  EXPECT_THAT(arm.joints, ElementsAre(Field(&RobotJoint::name, "first"), Field(&RobotJoint::name, "second"),
                                      Field(&RobotJoint::name, "slide")));
  EXPECT_EQ(arm.joints[2].link, "d");
  EXPECT_DOUBLE_EQ(arm.robot.link(1).mass, 2.5);
  EXPECT_EQ(arm.robot.parent(2), 1);
  EXPECT_EQ(arm.robot.joint(2).type(), JointType::prismatic);
  EXPECT_NEAR(arm.robot.joint(0).axis().norm(), 1.0, 1e-15);
  std::vector<std::string> frames;
  for (const NamedFrame& frame : arm.frames) frames.push_back(fmt::format("{}:{}", frame.name, frame.link));
  EXPECT_THAT(frames, testing::UnorderedElementsAre("base:-1", "a:0", "b:1", "c:1", "d:2", "e:-1"));
  EXPECT_THAT(inertia_faults(arm), IsEmpty());
}

TEST(Urdf, ReadsLimitsAndFrictionAndAContinuousJointHasNoEnd) {
  const RobotDescription arm = parse_urdf(kArm, "arm.urdf");
  EXPECT_EQ(arm.joints[0].limits.upper, 2.0);
  EXPECT_EQ(arm.joints[0].limits.torque, 30.0);
  EXPECT_EQ(arm.joints[0].friction.viscous, 0.5);
  EXPECT_EQ(arm.joints[0].friction.coulomb, 0.2);
  EXPECT_EQ(arm.joints[1].limits.upper, JointLimits::kNone);
  EXPECT_EQ(arm.joints[1].limits.velocity, 3.0);
}

// The same arm with the fixed joint made a movable one that stands still: the torques of the others are the same.
TEST(Urdf, AMergedBodyNeedsTheTorqueOfTheTwo) {
  const RobotDescription merged = parse_urdf(kArm, "arm.urdf"),
                         apart = parse_urdf(replaced(kArm, "\"weld\" type=\"fixed\"", "\"weld\" type=\"revolute\""),
                                            "arm.urdf");
  ASSERT_EQ(apart.robot.joints(), 4);
  Vec q(3), v(3), a(3), q4(4), v4(4), a4(4);
  q << 0.3, -1.1, 0.2, v << 1.0, -2.0, 0.5, a << 3.0, 5.0, -4.0;
  q4 << q[0], q[1], 0.0, q[2], v4 << v[0], v[1], 0.0, v[2], a4 << a[0], a[1], 0.0, a[2];
  const Vec torque = inverse_dynamics(merged.robot, q, v, a), torque4 = inverse_dynamics(apart.robot, q4, v4, a4);
  EXPECT_NEAR(torque[0], torque4[0], 1e-12);
  EXPECT_NEAR(torque[1], torque4[1], 1e-12);
  EXPECT_NEAR(torque[2], torque4[3], 1e-12);
}

TEST(Urdf, FlagsBodiesWithoutInertiaByName) {
  const std::string text =
      replaced(replaced(kArm, inertial("0 0 0.1", 3.0), ""), "mass value=\"1\"", "mass value=\"0\"");
  const std::vector<InertiaFault> faults = inertia_faults(parse_urdf(text, "arm.urdf"));
  ASSERT_EQ(faults.size(), 2U);
  EXPECT_EQ(faults[0].link + " " + faults[0].what, "a has no inertia");
  EXPECT_EQ(faults[1].link + " " + faults[1].what, "d has a mass of 0 kg");
  // A point, some way from the joint.
  LinkInertia<double> point;
  point.mass = 2.0, point.first_moment = Vector<double, 3>(0.4, 0.0, 0.2);
  point.moment = Vector<double, 3>(0.02, 0.1, 0.08).asDiagonal();
  point.moment(0, 2) = point.moment(2, 0) = -0.04;
  RobotDescription arm = parse_urdf(kArm, "arm.urdf");
  arm.robot.set_link(0, point);
  ASSERT_EQ(inertia_faults(arm).size(), 1U);
  EXPECT_EQ(inertia_faults(arm).front().what, "has a mass, but no moment of inertia");
  const std::string thin = replaced(kArm, "ixx=\"0.02\"", "ixx=\"0.9\"");  // of a: more than the other two together
  EXPECT_EQ(inertia_faults(parse_urdf(thin, "arm.urdf")).front().what, "has an inertia that no body can have");
}

TEST(Urdf, RefusesWhatItCannotComputeByName) {
  EXPECT_EQ(refusal(replaced(kArm, "\"slide\" type=\"prismatic\"", "\"slide\" type=\"floating\"")),
            "arm.urdf: joint \"slide\" is floating: only robots on a fixed base can be computed");
  EXPECT_THAT(refusal(replaced(kArm, "\"slide\" type=\"prismatic\"", "\"slide\" type=\"planar\"")),
              HasSubstr("joint \"slide\" is planar"));
  EXPECT_THAT(refusal(replaced(kArm, "<dynamics damping", "<mimic joint=\"second\"/><dynamics damping")),
              HasSubstr("joint \"first\" mimics \"second\""));
  EXPECT_THAT(refusal(replaced(kArm, "<axis xyz=\"0 0 2\"/>", "<axis xyz=\"0 0 0\"/>")),
              HasSubstr("joint \"first\" has an axis of length zero"));
  EXPECT_THAT(refusal(replaced(kArm, "</robot>", joint("back", "revolute", "a", "d") + "</robot>")),
              AllOf(HasSubstr("link \"d\" is carried by joint \"slide\" and by joint \"back\""), HasSubstr("loop")));
  EXPECT_THAT(refusal(replaced(kArm, "</robot>", joint("home", "revolute", "d", "base") + "</robot>")),
              HasSubstr(", and in the end by itself: a loop"));
}

TEST(Urdf, RefusesTextThatIsNone) {
  EXPECT_THAT(refusal("<robot>\n<link name=\"a\">\n</robot>"), HasSubstr("arm.urdf:"));
  EXPECT_EQ(refusal("<sdf/>"), "arm.urdf: is not a URDF: it has no <robot>");
  EXPECT_THAT(refusal(robot("<xacro:arm/>")), HasSubstr("expand them first"));
  EXPECT_EQ(refusal(robot(link("a", "") + link("b", "") + joint("weld", "fixed", "a", "b"))),
            "arm.urdf: has no joint that moves");
}

std::string snake(int joints) {
  std::string inside = link("l0", "");
  for (int i = 1; i <= joints; ++i)
    inside += link(fmt::format("l{}", i), inertial("0 0 0", 1.0)) +
              joint(fmt::format("j{}", i), "revolute", fmt::format("l{}", i - 1), fmt::format("l{}", i));
  return robot(inside);
}

TEST(Urdf, ATipSelectsTheChainOfALongerRobot) {
  EXPECT_THAT(refusal(snake(9)), HasSubstr("has 9 joints that move, and 8 are the most: give the link"));
  const RobotDescription arm = parse_urdf(snake(9), "arm.urdf", "l6");
  EXPECT_EQ(arm.robot.joints(), 6);
  EXPECT_DOUBLE_EQ(arm.robot.link(5).mass, 4.0);  // with the three that are held
  EXPECT_EQ(refusal(snake(9), "k6"), "arm.urdf: has no link \"k6\" for the tip; did you mean \"l6\"?");
}

// A joint that does not lead to the tip may be of any kind.
TEST(Urdf, JointsBesideTheChainAreHeldWhateverTheyAre) {
  const std::string text = replaced(kArm, "\"slide\" type=\"prismatic\"", "\"slide\" type=\"floating\"");
  EXPECT_EQ(parse_urdf(text, "arm.urdf", "c").robot.joints(), 2);
}

TEST(CorrectedUrdf, IsReadBackAsTheRobotThatWasWritten) {
  RobotDescription arm = parse_urdf(kArm, "arm.urdf");
  Robot<double>::Parameters parameters = arm.robot.parameters();
  parameters *= 1.25;
  arm.robot.set_parameters(parameters);
  arm.joints[1].friction = {0.7, 1.5, 0.1};
  const std::string text = corrected_urdf(kArm, "arm.urdf", arm);
  const RobotDescription again = parse_urdf(text, "arm.urdf");
  EXPECT_LT((again.robot.parameters() - parameters).cwiseAbs().maxCoeff(), 1e-8);
  EXPECT_EQ(again.joints[1].friction.viscous, 0.7);
  EXPECT_EQ(again.joints[1].friction.coulomb, 1.5);
  EXPECT_EQ(again.joints[0].friction.viscous, 0.5);
  EXPECT_THAT(text, HasSubstr("<!-- <link name=\"ghost\"/> -->"));
  EXPECT_THAT(text, HasSubstr("<!-- its inertia is part of b -->"));
  EXPECT_THAT(text, HasSubstr("  <link name=\"e\"/>\n"));
}

TEST(CorrectedUrdf, GivesAnInertiaToALinkThatHadNone) {
  const std::string text =
      replaced(replaced(kArm, inertial("0 0 0.1", 3.0), ""), "<link name=\"a\"></link>", "<link name='a' />");
  RobotDescription arm = parse_urdf(text, "arm.urdf");
  arm.robot.set_link(0, parse_urdf(kArm, "arm.urdf").robot.link(0));
  const RobotDescription again = parse_urdf(corrected_urdf(text, "arm.urdf", arm), "arm.urdf");
  EXPECT_LT((again.robot.parameters() - arm.robot.parameters()).cwiseAbs().maxCoeff(), 1e-8);
}

TEST(CorrectedUrdf, RefusesTheTextOfAnotherRobot) {
  const RobotDescription arm = parse_urdf(kArm, "arm.urdf");
  try {
    corrected_urdf(snake(3), "snake.urdf", arm);
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "snake.urdf: has no joint \"first\" to write to");
  }
}

}  // namespace
}  // namespace tauhat
