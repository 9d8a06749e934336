// What else could explain a robot's torques, found by score tests beside its regression.
#include "tauhat/offline/robot/robot_suspects.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "support/moved_robot_spec.hpp"
#include "tauhat/core/robot/inverse_dynamics.hpp"
#include "tauhat/offline/identify/suspects.hpp"
#include "tauhat/offline/report/suspect.hpp"
#include "tauhat/offline/robot/robot_parameter_report.hpp"

namespace tauhat {
namespace {

constexpr int kJoints = 3;

std::vector<RobotSuspect> suspects_of(const MovedRobot& robot, const RobotRecord& record) {
  const RobotSpec spec = spec_of(robot);
  const RobotIdentification identification(spec);
  std::vector<RowSample> samples;
  identification.fit({record}, kSuspectRows, samples);
  return find_robot_suspects(identification, {record}, samples);
}

const RobotSuspect& called(const std::vector<RobotSuspect>& suspects, const std::string& name) {
  for (const RobotSuspect& suspect : suspects)
    if (suspect.name == name) return suspect;
  throw std::out_of_range(name);
}

TEST(RobotSuspects, NoiseAloneIsNotSuspicious) {
  const MovedRobot robot = moved_robot(kJoints);
  int alarms = 0;
  for (std::uint64_t seed = 1; seed <= 10; ++seed)
    alarms += std::abs(suspects_of(robot, robot.record({1e-5, 0.2}, seed)).front().z) > kSuspicious;
  EXPECT_LE(alarms, 1);
}

// A torque that is logged 4 ms late, and one 10 % too large: named first, and by how much.
TEST(RobotSuspects, FindTheDelayOfOneTorque) {
  const MovedRobot robot = moved_robot(kJoints);
  RobotRecord record = robot.record({1e-5, 0.2}, 1);
  std::vector<double>& torque = record.torque[1];
  torque.insert(torque.begin(), 4, torque.front());
  torque.resize(record.samples());
  const auto suspects = suspects_of(robot, record);
  const RobotSuspect& delay = called(suspects, "joint2.torque.delay");
  EXPECT_GT(std::abs(delay.z), kSuspicious);
  EXPECT_NEAR(delay.change, 4e-3, 1.5e-3);
}

TEST(RobotSuspects, FindAZeroThatIsOff) {
  const MovedRobot robot = moved_robot(kJoints);
  RobotRecord record = robot.record({1e-5, 0.2}, 1);
  for (double& torque : record.torque[2]) torque += 0.5;
  const auto suspects = suspects_of(robot, record);
  const RobotSuspect& offset = called(suspects, "joint3.torque.offset");
  EXPECT_GT(std::abs(offset.z), kSuspicious);
  EXPECT_NEAR(offset.change, 0.5, 0.1);
  // The parameters that it moved are told to be uncertain by as much.
  EXPECT_GT(shift_by_suspects(suspects, static_cast<int>(offset.shift.size())).maxCoeff(), 0.0);
}

// The encoder sits at the motor, ahead of the link by what the gear of the second joint yields to its load.
TEST(RobotSuspects, FindAGearThatSags) {
  constexpr double kCompliance = 3e-4;  // rad/(N m)
  const MovedRobot robot = moved_robot(kJoints);
  RobotRecord record = robot.record({1e-5, 0.2}, 1);
  const Robot<double> truth = robot.columns.robot_with(robot.parameters);
  for (std::size_t k = 0; k < record.samples(); ++k) {
    const JointMotion at = robot.motion.at(static_cast<double>(k) * record.period);
    record.position[1][k] += kCompliance * inverse_dynamics(truth, JointValues(at.position), JointValues(at.velocity),
                                                            JointValues(at.acceleration))[1];
  }
  const auto suspects = suspects_of(robot, record);
  const RobotSuspect& sag = called(suspects, "joint2.transmission.sag");
  EXPECT_GT(std::abs(sag.z), kSuspicious);
  EXPECT_NEAR(sag.change, kCompliance, 0.3 * kCompliance);
}

// What widens intervals is said, with its size: at 3.4 deviations a shift of a parameter by twice its own makes its
// interval sqrt(5) times as wide. What is above 4 is a suspect, what is below 3 nothing.
TEST(RobotSuspects, SayThatTheyWiden) {
  const MovedRobot robot = moved_robot(kJoints);
  const RobotSpec spec = spec_of(robot);
  const RobotIdentification identification(spec);
  const RobotFit fit = identification.fit({robot.record({1e-5, 0.2}, 1)});
  Eigen::VectorXd shift = Eigen::VectorXd::Zero(identification.base().count());
  shift[2] = 2.0 * fit.deviation(2);
  const auto said = [&](double z) {
    Report report;
    judge_widening(identification, fit, {{"joint1.torque.delay", "s", 0, 0.0, 2e-3, z, shift}}, shift, report);
    return report.diagnostics;
  };
  ASSERT_EQ(said(3.4).size(), 1U);
  EXPECT_EQ(said(3.4).front().name, "model.widened");
  EXPECT_THAT(said(3.4).front().message,
              testing::AllOf(testing::HasSubstr("joint1.torque.delay +0.002 s (3.4)"),
                             testing::HasSubstr("that of " + identification.result_name(2) + " 2.2 times")));
  EXPECT_TRUE(said(4.1).empty());
  EXPECT_TRUE(said(2.9).empty());
}

// Student's t at 97.5 % with ten degrees of freedom is 2.228.
TEST(RobotSuspects, TakeFewDegreesOfFreedomIntoAccount) {
  EXPECT_NEAR(normal_equivalent(2.2281, 10.0), 1.96, 0.01);
  EXPECT_NEAR(normal_equivalent(-3.0, 1e9), -3.0, 1e-6);
}

}  // namespace
}  // namespace tauhat
