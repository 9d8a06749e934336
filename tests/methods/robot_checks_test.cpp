// Checks of a robot's log on simulated ones of the TX40: what is wrong is found and named, what is right is left alone.
#include "tauhat/offline/robot/joint_diagnostics.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "support/robot_records.hpp"

namespace tauhat {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;

const MotorSides kAtJoints{std::vector<bool>(6, false), std::vector<bool>(6, false)};
const MotorSides kAtMotors{std::vector<bool>(6, true), std::vector<bool>(6, true)};
constexpr double kPositionNoise = 1.745e-5, kTorqueNoise = 0.05;  // rad, N m
constexpr std::uint64_t kFirstSeed = 9001;

RobotRecord record_of(std::uint64_t seed) { return tx40_record(seed, kPositionNoise, kTorqueNoise); }

void multiply(std::vector<double>& series, double factor) {
  for (double& each : series) each *= factor;
}

// Joints with any finding, from one: "1", "2 4".
std::string blamed(const std::vector<JointCheck>& checks) {
  std::string joints;
  for (std::size_t j = 0; j < checks.size(); ++j) {
    const JointCheck& check = checks[j];
    if (!check.own.is_delayed && !check.own.may_be_delayed() && !check.sign && !check.ratio && !check.position_factor &&
        !check.torque_factor)
      continue;
    joints += (joints.empty() ? "" : " ") + std::to_string(j + 1);
  }
  return joints;
}

TEST(RobotChecks, LeaveAGoodLogAlone) {
  for (std::uint64_t seed = kFirstSeed; seed < kFirstSeed + 5; ++seed) {
    EXPECT_THAT(blamed(check_joints(tx40_spec(), record_of(seed), kAtMotors)), IsEmpty()) << seed;
    // Ten times the noise: less is told, and nothing invented.
    const RobotRecord noisy = tx40_record(seed, 10.0 * kPositionNoise, 10.0 * kTorqueNoise);
    EXPECT_THAT(blamed(check_joints(tx40_spec(), noisy, kAtMotors)), IsEmpty()) << seed;
    EXPECT_THAT(blamed(check_joints(tx40_spec(), record_of(seed), kAtJoints)), IsEmpty()) << seed;
    EXPECT_THAT(blamed(check_joints(tx40_spec(), noisy, kAtJoints)), IsEmpty()) << seed;
  }
}

TEST(RobotChecks, FindATorqueThatComesLate) {
  for (std::size_t j = 0; j < 6; ++j) {
    RobotRecord record = record_of(kFirstSeed + j);
    std::vector<double>& torque = record.torque[j];
    std::rotate(torque.begin(), torque.end() - 4, torque.end());
    const auto checks = check_joints(tx40_spec(), record, kAtMotors);
    EXPECT_EQ(blamed(checks), std::to_string(j + 1));
    EXPECT_NEAR(checks[j].own.delay, 0.004, 5.0 * checks[j].own.delay_std);
    EXPECT_LT(checks[j].own.delay_std, 2e-4);
  }
}

// In noise ten times as large, of which a shift explains nothing: what lasts from row to row is the delay's. The last
// joint's torques are too small for that noise.
TEST(RobotChecks, ADelayIsAnErrorInNoiseToo) {
  for (std::size_t j = 0; j < 5; ++j) {
    RobotRecord record = tx40_record(kFirstSeed + j, 10.0 * kPositionNoise, 10.0 * kTorqueNoise);
    std::vector<double>& torque = record.torque[j];
    std::rotate(torque.begin(), torque.end() - 8, torque.end());
    const auto found = joint_diagnostics(tx40_spec(), kAtMotors, check_joints(tx40_spec(), record, kAtMotors));
    const std::string name = "joint" + std::to_string(j + 1) + ".clock";
    EXPECT_TRUE(std::any_of(found.begin(), found.end(), [&](const Diagnostic& each) {
      return each.name == name && each.severity == Severity::error;
    })) << name;
  }
}

// In noise of 2 N m, where nothing is certain: a delay of 8 ms is said to be one, or to be hidden.
TEST(RobotChecks, NoDelayIsPassedOverInSilence) {
  for (std::size_t j = 0; j < 6; ++j) {
    RobotRecord record = tx40_record(kFirstSeed + j, 10.0 * kPositionNoise, 40.0 * kTorqueNoise);
    std::vector<double>& torque = record.torque[j];
    std::rotate(torque.begin(), torque.end() - 8, torque.end());
    const auto found = joint_diagnostics(tx40_spec(), kAtMotors, check_joints(tx40_spec(), record, kAtMotors));
    const std::string name = "joint" + std::to_string(j + 1) + ".clock";
    EXPECT_TRUE(std::any_of(found.begin(), found.end(), [&](const Diagnostic& each) { return each.name == name; }))
        << name;
  }
}

// Contacts that bend over 30 mrad in all joints, and a study that knows nothing of them: torques seem 70 to 160 ms
// late, and nothing is wrong.
TEST(RobotChecks, TellClocksAndRatiosFromFrictionThatBends) {
  RobotSpec truth = tx40_spec();
  truth.terms.law = SlidingLaw::dahl;
  for (RobotJoint& joint : truth.joints) joint.friction.reach = 0.03;
  const RobotRecord record = tx40_record(kFirstSeed, kPositionNoise, kTorqueNoise, truth);
  for (const MotorSides& sides : {kAtMotors, kAtJoints}) {
    const auto checks = check_joints(tx40_spec(), record, sides);
    for (const JointCheck& check : checks) {
      EXPECT_TRUE(check.own.bends());
      EXPECT_NEAR(std::log(check.own.reach / 0.03), 0.0, std::log(1.5));
    }
    for (const Diagnostic& each : joint_diagnostics(tx40_spec(), sides, checks))
      EXPECT_NE(each.severity, Severity::error) << each.message;
  }
}

// One joint after the other, a record each.
void expect_found(std::vector<std::vector<double>> RobotRecord::*reversed, WrongSign sign) {
  for (std::size_t j = 0; j < 6; ++j) {
    RobotRecord record = record_of(kFirstSeed + j);
    multiply((record.*reversed)[j], -1.0);
    const auto checks = check_joints(tx40_spec(), record, kAtMotors);
    EXPECT_EQ(blamed(checks), std::to_string(j + 1));
    // The last link turns about an axis of symmetry: whether position or torque is wrong makes no difference there.
    EXPECT_EQ(checks[j].sign, j == 5 ? WrongSign::either : sign);
  }
}

TEST(RobotChecks, FindTheJointWhoseTorqueHasTheWrongSign) { expect_found(&RobotRecord::torque, WrongSign::torque); }

TEST(RobotChecks, FindTheJointWhosePositionHasTheWrongSign) {
  expect_found(&RobotRecord::position, WrongSign::position);
}

// The ratio of the next size of gear. What the last joint carries is too little to tell.
TEST(RobotChecks, FindAWrongGearRatioAndTheRightOne) {
  for (std::size_t j = 0; j < 5; ++j) {
    RobotSpec robot = tx40_spec();
    auto ratio = robot.robot.transmission().ratio();
    const auto joint = static_cast<Eigen::Index>(j);
    const double truth = ratio[joint], wrong = truth == 32.0 ? 45.0 : 32.0;
    ratio[joint] = wrong;
    robot.robot.transmission() = {ratio, robot.robot.transmission().coupling()};
    RobotRecord record = record_of(kFirstSeed + j);
    multiply(record.position[j], truth / wrong);
    multiply(record.torque[j], wrong / truth);
    const auto checks = check_joints(robot, record, kAtMotors);
    EXPECT_EQ(blamed(checks), std::to_string(j + 1));
    ASSERT_TRUE(checks[j].ratio);
    EXPECT_NEAR(*checks[j].ratio / truth, 1.0, 0.1) << j + 1;
  }
}

// A drive has converted by the wrong gear before it logged the joint. What the wrist carries is too little to tell: a
// torque of the fifth joint 1.5 times too large is found in five of eight records.
TEST(RobotChecks, FindWhatWasConvertedByAWrongRatio) {
  for (std::size_t j = 1; j < 4; ++j) {
    RobotRecord wrong_torque = record_of(kFirstSeed + j), wrong_position = record_of(kFirstSeed + j);
    multiply(wrong_torque.torque[j], 1.5);
    multiply(wrong_position.position[j], 0.5);
    const auto torque = check_joints(tx40_spec(), wrong_torque, kAtJoints),
               position = check_joints(tx40_spec(), wrong_position, kAtJoints);
    EXPECT_EQ(blamed(torque), std::to_string(j + 1));
    EXPECT_EQ(blamed(position), std::to_string(j + 1));
    ASSERT_TRUE(torque[j].torque_factor && position[j].position_factor) << j + 1;
    EXPECT_NEAR(*torque[j].torque_factor * 1.5, 1.0, 0.1) << j + 1;
    EXPECT_NEAR(*position[j].position_factor * 0.5, 1.0, 0.1) << j + 1;
  }
}

// Of both, by a gear ratio that the motor's drive has wrong: to a step of gears, 5 %. Of the joints from the fourth on,
// other inertias would do as well.
TEST(RobotChecks, FindWhereADriveHasConvertedBoth) {
  for (std::size_t j = 0; j < 3; ++j) {
    for (const double factor : {1.2, 0.8}) {
      RobotRecord wrong = record_of(kFirstSeed + j);
      multiply(wrong.position[j], factor), multiply(wrong.torque[j], 1.0 / factor);
      const auto checks = check_joints(tx40_spec(), wrong, kAtJoints);
      EXPECT_EQ(blamed(checks), std::to_string(j + 1)) << factor;
      ASSERT_TRUE(checks[j].position_factor && checks[j].torque_factor) << j + 1 << " " << factor;
      EXPECT_NEAR(*checks[j].position_factor * factor, 1.0, 0.05) << j + 1;
      EXPECT_NEAR(*checks[j].torque_factor / factor, 1.0, 0.05) << j + 1;
    }
  }
}

// Friction that grows with the load, of which the study knows no number.
TEST(RobotChecks, TellFaultsFromFrictionUnderLoad) {
  for (const SlidingLaw law : {SlidingLaw::coulomb, SlidingLaw::stribeck}) {
    RobotSpec truth = tx40_spec();
    truth.terms.law = law, truth.terms.load = true;
    for (RobotJoint& joint : truth.joints) {
      joint.friction.load = 0.1;
      if (has_excess(law)) joint.friction.excess = 0.5 * joint.friction.coulomb, joint.friction.decay = 4.0;
    }
    const auto checked = [&](const RobotRecord& record) {
      RobotSpec study = tx40_spec();
      study.terms.law = law, study.terms.load = true;
      return check_joints(study, record, kAtMotors);
    };
    const RobotRecord good = tx40_record(kFirstSeed, kPositionNoise, kTorqueNoise, truth);
    EXPECT_THAT(blamed(checked(good)), IsEmpty()) << static_cast<int>(law);
    if (!has_excess(law)) continue;  // half as long, and tells less
    RobotRecord late = good, turned = good;
    std::rotate(late.torque[1].begin(), late.torque[1].end() - 4, late.torque[1].end());
    EXPECT_EQ(blamed(checked(late)), "2") << static_cast<int>(law);
    multiply(turned.torque[2], -1.0);
    const auto checks = checked(turned);
    EXPECT_EQ(blamed(checks), "3") << static_cast<int>(law);
    EXPECT_EQ(checks[2].sign, WrongSign::torque) << static_cast<int>(law);
  }
}

TEST(RobotChecks, FindTwoWrongJointsOfOneLog) {
  RobotRecord record = record_of(kFirstSeed);
  multiply(record.torque[1], -1.0);
  multiply(record.position[3], -1.0);
  const auto checks = check_joints(tx40_spec(), record, kAtMotors);
  EXPECT_EQ(blamed(checks), "2 4");
  EXPECT_EQ(checks[1].sign, WrongSign::torque);
  EXPECT_EQ(checks[3].sign, WrongSign::position);
}

TEST(RobotChecks, SayWhatToWriteInTheStudy) {
  std::vector<JointCheck> checks(6);
  checks[1].own = {.delay = 0.004, .delay_std = 0.0001, .is_delayed = true, .explained = 0.9};
  checks[2].sign = WrongSign::torque;
  checks[3].ratio = 45.0;
  const auto found = joint_diagnostics(tx40_spec(), kAtMotors, checks);
  ASSERT_EQ(found.size(), 3U);
  EXPECT_EQ(found[0].name, "joint2.clock");
  EXPECT_THAT(found[0].message, AllOf(HasSubstr("joint2.motor.torque comes 4.00 ± 0.20 ms after joint2.motor.position"),
                                      HasSubstr("delay = \"4 ms\"")));
  EXPECT_THAT(found[1].message, HasSubstr("joint3.motor.torque has the wrong sign"));
  EXPECT_THAT(found[2].message, HasSubstr("joint4: the gear ratio 48 does not fit"));
}

}  // namespace
}  // namespace tauhat
