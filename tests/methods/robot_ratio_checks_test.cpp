// Gear ratios of joints whose position nothing but their own inertia and friction depends on, and of coupled ones.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fmt/format.h>

#include "support/robot_records.hpp"
#include "support/scara.hpp"
#include "tauhat/offline/robot/joint_diagnostics.hpp"
#include "tauhat/offline/simulate/random.hpp"

namespace tauhat {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

constexpr int kSpindle = 2;
constexpr double kRatio = 400.0;
constexpr std::uint64_t kSeed = 7001;

// "spindle.ratio error: ..." of each that is said.
std::string said(const RobotSpec& robot, const RobotRecord& record, const MotorSides& sides) {
  std::string all;
  for (const Diagnostic& each : joint_diagnostics(robot, sides, check_joints(robot, record, sides)))
    all += fmt::format("{} {}: {}\n", each.name, name_of(each.severity), each.message);
  return all;
}

// What a study with this ratio of the spindle's motor makes of the log of a robot.
std::string said_of_spindle(const RobotSpec& truth, RobotSpec study, double ratio) {
  RobotRecord record = scara_record(truth, kSeed);
  for (double& position : record.position[kSpindle]) position *= kRatio / ratio;
  for (double& force : record.torque[kSpindle]) force *= ratio / kRatio;
  auto ratios = study.robot.transmission().ratio();
  ratios[kSpindle] = ratio;
  study.robot.transmission() = {ratios, study.robot.transmission().coupling()};
  return said(study, record, kScaraMotors);
}

RobotSpec without_actuators(RobotSpec robot) {
  robot.robot.actuator_inertia().setZero();
  return robot;
}

// Mass and rotor 1/s and 1/s^2 times as large explain the record as well: by 1.4 standard deviations of a mass that is
// known to 20 % nothing is decided.
TEST(RatioChecks, SayThatNoRecordTellsASpindles) {
  const RobotSpec study = without_actuators(scara_spec());
  for (const double ratio : {300.0, 400.0, 533.0}) {
    const std::string all = said_of_spindle(scara_spec(), study, ratio);
    EXPECT_THAT(all, AllOf(HasSubstr(fmt::format("spindle.ratio_unknown info: spindle: this log does not tell the gear "
                                                 "ratio {:g}",
                                                 ratio)),
                           HasSubstr("measure how far the joint goes"), Not(HasSubstr("error"))));
  }
}

// The weight of 3.5 kg would take 2.6 kg, and its acceleration 0.56 of what it takes.
TEST(RatioChecks, FindASpindlesWhereItsRotorWouldBeLessThanNothing) {
  RobotSpec light = scara_spec();
  light.robot.actuator_inertia()[kSpindle] = 0.2;
  EXPECT_THAT(said_of_spindle(light, without_actuators(light), 300.0),
              HasSubstr("spindle.ratio error: spindle: the gear ratio 300 does not fit the torques of the motion; "));
  EXPECT_THAT(said_of_spindle(light, without_actuators(light), kRatio), Not(HasSubstr("error")));
}

TEST(RatioChecks, FindASpindlesByInertiasThatAreKnown) {
  EXPECT_THAT(said_of_spindle(scara_spec(), scara_spec(), 640.0),
              HasSubstr("spindle.ratio error: spindle: the gear ratio 640 does not fit the inertias of the study"));
}

// A spindle is slow beside a width of friction that is right for joints that turn, and a joint may stand still: what is
// wrong elsewhere is found all the same.
TEST(RatioChecks, SeeTheOtherJointsBesideOneThatHardlyMoves) {
  RobotSpec robot = scara_spec();
  robot.terms.width = 0.05;
  RobotRecord slow = scara_record(robot, kSeed), still = slow;
  for (double& position : still.position[kSpindle]) position = 0.1;
  auto ratios = robot.robot.transmission().ratio();
  ratios[1] = 80.0;
  RobotSpec wrong = robot;
  wrong.robot.transmission() = {ratios, robot.robot.transmission().coupling()};
  for (RobotRecord record : {slow, still}) {
    EXPECT_FALSE(check_joints(robot, record, kScaraMotors)[1].ratio_range);
    for (double& position : record.position[1]) position *= 50.0 / 80.0;
    for (double& torque : record.torque[1]) torque *= 80.0 / 50.0;
    EXPECT_THAT(said(wrong, record, kScaraMotors), HasSubstr("elbow.ratio error: elbow: the gear ratio 80 does not"));
  }
}

// A body that nobody describes takes nothing from what is known of the others.
TEST(RatioChecks, KnowTheOtherBodiesWhereOneIsMissing) {
  RobotSpec study = scara_spec();
  study.robot.set_link(0, {});
  EXPECT_THAT(said_of_spindle(scara_spec(), study, 640.0), HasSubstr("spindle.ratio error"));
}

// Noise of one motor, as all joints that it acts on have it: tau = C^T tau_m.
void add_noise(RobotRecord& record, const RobotSpec& robot, int motor, double std, std::uint64_t seed) {
  Random noise(seed, "motor", static_cast<std::uint64_t>(motor));
  for (std::size_t k = 0; k < record.samples(); ++k) {
    const double now = std * noise.normal();
    for (int j = 0; j < robot.count(); ++j)
      record.torque[static_cast<std::size_t>(j)][k] += robot.robot.transmission().coupling()(motor, j) * now;
  }
}

// Motors that move more than their joint: a ratio mixes torques, a loud one with a quiet one, and the fit of what it
// makes of them is no fit of the record.
TEST(RatioChecks, LeaveCoupledJointsAlone) {
  RobotSpec robot = scara_spec();
  auto coupling = robot.robot.transmission().coupling();
  coupling(1, 0) = 1.0, coupling(3, 1) = -1.0;
  robot.robot.transmission() = {robot.robot.transmission().ratio(), coupling};
  for (std::uint64_t seed = kSeed; seed < kSeed + 3; ++seed) {
    RobotRecord record = scara_record(robot, seed);
    add_noise(record, robot, 1, 1.0, seed);
    EXPECT_THAT(said(robot, record, kScaraMotors), Not(HasSubstr("error"))) << seed;
  }
}

// The noise of a wrist's last motor is in both of its joints. Weighed joint by joint, the ratio that takes it out of
// one would be believed.
TEST(RatioChecks, LeaveAWristAlone) {
  RobotSpec robot = tx40_spec();
  auto coupling = robot.robot.transmission().coupling();
  coupling(5, 4) = 1.0;
  robot.robot.transmission() = {robot.robot.transmission().ratio(), coupling};
  const MotorSides motors{std::vector<bool>(6, true), std::vector<bool>(6, true)};
  for (std::uint64_t seed = kSeed; seed < kSeed + 3; ++seed) {
    RobotRecord record = tx40_record(seed, 1.745e-5, 0.0, robot);
    for (int motor = 0; motor < robot.count(); ++motor) add_noise(record, robot, motor, 0.05, seed);
    EXPECT_THAT(said(robot, record, motors), Not(HasSubstr("error"))) << seed;
  }
}

const MotorSides kArmMotors{std::vector<bool>(6, true), std::vector<bool>(6, true)},
    kArmJoints{std::vector<bool>(6, false), std::vector<bool>(6, false)};

// What hangs on the TX40's first joints tells their ratios, those of the next two to a tenth.
TEST(RatioChecks, TellTheRatiosOfAnArm) {
  const auto checks = check_joints(tx40_spec(), tx40_record(kSeed, 1.745e-5, 0.05), kArmMotors);
  const auto ratio = tx40_spec().robot.transmission().ratio();
  for (std::size_t j = 0; j < 5; ++j) {
    EXPECT_TRUE(j >= 3 || !checks[j].ratio_range) << j + 1;
    if (!checks[j].ratio_range) continue;
    EXPECT_GT(checks[j].ratio_range->lower, 0.88 * ratio[static_cast<int>(j)]) << j + 1;
    EXPECT_LT(checks[j].ratio_range->upper, 1.12 * ratio[static_cast<int>(j)]) << j + 1;
  }
}

void multiply(std::vector<double>& series, double factor) {
  for (double& each : series) each *= factor;
}

// A ratio that is a tenth off is found to a step of gears, or lies where the log does not tell it: at the motors, and
// where a drive has converted by it.
TEST(RatioChecks, PassNoneInSilence) {
  for (std::size_t j = 0; j < 6; ++j) {
    const double factor = j % 2 == 0 ? 1.1 : 1.0 / 1.1;
    RobotRecord record = tx40_record(kSeed + j, 1.745e-5, 0.05);
    multiply(record.position[j], 1.0 / factor), multiply(record.torque[j], factor);
    RobotSpec robot = tx40_spec();
    auto ratio = robot.robot.transmission().ratio();
    const double truth = ratio[static_cast<int>(j)];
    ratio[static_cast<int>(j)] *= factor;
    robot.robot.transmission() = {ratio, robot.robot.transmission().coupling()};
    const JointCheck at_motor = check_joints(robot, record, kArmMotors)[j];
    if (at_motor.ratio) {
      EXPECT_NEAR(*at_motor.ratio / truth, 1.0, 0.05) << j + 1;
    } else {
      ASSERT_TRUE(at_motor.ratio_range) << j + 1;
      EXPECT_LT(at_motor.ratio_range->lower, 1.02 * truth) << j + 1;
      EXPECT_GT(at_motor.ratio_range->upper, 0.98 * truth) << j + 1;
    }
    if (j < 3) continue;  // FindWhereADriveHasConvertedBoth
    const JointCheck at_joint = check_joints(tx40_spec(), record, kArmJoints)[j];
    if (at_joint.position_factor || at_joint.torque_factor) continue;
    ASSERT_TRUE(at_joint.conversion_range) << j + 1;
    EXPECT_LT(at_joint.conversion_range->lower, 1.02 * factor) << j + 1;
    EXPECT_GT(at_joint.conversion_range->upper, 0.98 * factor) << j + 1;
  }
}

// Position and torque of the spindle both turned. Upright its weight would be less than nothing; flat nothing tells.
TEST(SignChecks, OfASlideByItsWeight) {
  RobotSpec upright = scara_spec();
  const RobotRecord good = scara_record(upright, kSeed);
  RobotRecord turned = good;
  multiply(turned.position[kSpindle], -1.0), multiply(turned.torque[kSpindle], -1.0);
  EXPECT_THAT(said(upright, turned, kScaraMotors),
              HasSubstr("spindle.sign error: spindle: spindle.motor.torque and spindle.motor.position have the wrong"));
  EXPECT_THAT(said(upright, good, kScaraMotors), Not(HasSubstr("spindle.sign")));

  RobotSpec flat = scara_spec();
  flat.robot.gravity = {0.0, 0.0, 0.0};
  const RobotRecord lying = scara_record(flat, kSeed);
  const std::string all = said(flat, lying, kScaraMotors);
  EXPECT_THAT(all, HasSubstr("spindle.sign_unknown info: spindle: this log does not tell spindle.motor.torque and"));
  EXPECT_THAT(all, Not(HasSubstr("error")));
}

// What hangs on one joint alone falls the other way round, and that is all: the study's centre of mass speaks.
TEST(SignChecks, OfAPendulumByItsCentre) {
  const RobotSpec robot = *parse_study(R"([robot]
[[robot.joint]]
name = "pendulum"
alpha = "-90 deg"
inertia = { Ixx = 0.1, Iyy = 0.45, Izz = 0.5, mX = 1.3, m = 5 }
actuator_inertia = 0.4
friction = { viscous = 4, coulomb = 5 }
)",
                                       "pendulum.toml")
                               .robot;
  const TorqueColumns columns(robot.robot, robot.terms);
  FourierTrajectory motion{10.0, Eigen::VectorXd::Constant(1, 0.7), Eigen::MatrixXd(1, 3), Eigen::MatrixXd(1, 3)};
  motion.sine << 1.0, -0.7, 0.8;
  motion.cosine << 0.5, 0.9, -0.6;
  const RobotRecord good = simulated_record(motion, columns, columns.parameters(robot.robot, friction_of(robot)), 10.0,
                                            1e-3, {1e-6, 0.05}, kSeed);
  const MotorSides at_joint{{false}, {false}};
  EXPECT_THAT(said(robot, good, at_joint), HasSubstr("pendulum.sign_unknown info"));
  RobotRecord turned = good;
  multiply(turned.position[0], -1.0), multiply(turned.torque[0], -1.0);
  EXPECT_THAT(said(robot, turned, at_joint), HasSubstr("pendulum.sign_unknown warning"));
}

TEST(SignChecks, OfAnArmButItsLastJoint) {
  const auto checks = check_joints(tx40_spec(), tx40_record(kSeed, 1.745e-5, 0.05), kArmMotors);
  for (std::size_t j = 0; j < 6; ++j) EXPECT_EQ(checks[j].signs_are_open, j == 5) << j + 1;
}

}  // namespace
}  // namespace tauhat
