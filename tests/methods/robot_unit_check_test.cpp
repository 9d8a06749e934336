// Units and sides of a robot's log that its study has wrong, on simulated logs of the TX40: the right joint is named,
// and no other; wrong signs, ratios and clocks are none of them.
#include "tauhat/offline/robot/unit_check.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <numbers>

#include "support/robot_records.hpp"
#include "tauhat/offline/robot/robot_checks.hpp"

namespace tauhat {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::UnorderedElementsAre;
using Series = std::vector<std::vector<double>>;

const MotorSides kAtJoints{std::vector<bool>(6, false), std::vector<bool>(6, false)};
constexpr double kDegree = std::numbers::pi / 180.0;
constexpr std::uint64_t kFirstSeed = 9201;

Study study() {
  Study study;
  study.source = "study";
  study.robot = tx40_spec();
  for (const RobotJoint& joint : study.robot->joints) {
    study.channels.push_back({.spec = {.signal = joint.name + ".position"}, .unit = "rad", .std = {}});
    study.channels.push_back({.spec = {.signal = joint.name + ".torque"}, .unit = "N m", .std = {}});
  }
  return study;
}
RobotRecord record_of(std::uint64_t seed) { return tx40_record(seed, 1.745e-5, 0.05); }

void multiply(std::vector<double>& series, double factor) {
  for (double& each : series) each *= factor;
}
void multiply(Series& all, double factor) {
  for (std::vector<double>& each : all) multiply(each, factor);
}

std::vector<std::string> said_of(const RobotRecord& record, const Study& of = study()) {
  std::vector<std::string> said;
  const auto mistaken = check_units(of, record, kAtJoints).mistaken;
  for (const Diagnostic& each : unit_diagnostics(*of.robot, kAtJoints, mistaken))
    said.push_back(each.name + ": " + each.message);
  return said;
}

TEST(RobotUnits, AGoodLogHasThem) {
  for (std::uint64_t seed = kFirstSeed; seed < kFirstSeed + 4; ++seed) {
    EXPECT_THAT(said_of(record_of(seed)), IsEmpty()) << seed;
    EXPECT_THAT(said_of(tx40_record(seed, 1.745e-4, 0.5)), IsEmpty()) << seed;
  }
}

TEST(RobotUnits, AllPositionsAreToldOnce) {
  RobotRecord record = record_of(kFirstSeed);
  multiply(record.position, 1.0 / kDegree);
  EXPECT_THAT(said_of(record),
              ElementsAre(HasSubstr("joints.unit: The positions of all joints are in deg, not in rad")));
  record = record_of(kFirstSeed + 1);
  multiply(record.position, 0.5 / std::numbers::pi);
  EXPECT_THAT(said_of(record),
              ElementsAre(HasSubstr("joints.unit: The positions of all joints are in rev, not in rad")));
  Study degrees = study();
  for (StudyChannel& channel : degrees.channels)
    if (channel.spec.signal.ends_with("position")) channel.unit = "deg";
  record = record_of(kFirstSeed + 2);
  multiply(record.position, kDegree);
  EXPECT_THAT(said_of(record, degrees), ElementsAre(HasSubstr("positions of all joints are in rad, not in deg")));
}

// The last joint's limits tell: no torque depends on its position.
TEST(RobotUnits, OneJointsPositionsBlameNoOther) {
  Study limited = study();
  for (RobotJoint& joint : limited.robot->joints) joint.limits.lower = -3.2, joint.limits.upper = 3.2;
  for (std::size_t j = 0; j < 6; ++j) {
    RobotRecord record = record_of(kFirstSeed + j);
    multiply(record.position[j], 1.0 / kDegree);
    EXPECT_THAT(said_of(record, j < 5 ? study() : limited),
                ElementsAre(HasSubstr("joint" + std::to_string(j + 1) + ".position is in deg, not in rad")));
  }
}

TEST(RobotUnits, ThreeOfSixAreEachNamed) {
  RobotRecord record = record_of(kFirstSeed + 3);
  for (const std::size_t j : {0U, 2U, 3U}) multiply(record.position[j], 1.0 / kDegree);
  EXPECT_THAT(said_of(record),
              UnorderedElementsAre(HasSubstr("joint1.unit: "), HasSubstr("joint3.unit: "), HasSubstr("joint4.unit: ")));
}

// Of all torques the inertias of the study tell, even where each is a third wrong; of bodies that nobody knows nothing
// does.
TEST(RobotUnits, OfTorques) {
  RobotRecord record = record_of(kFirstSeed + 4);
  multiply(record.torque, 1000.0);
  Study rough = study();
  for (int j = 0; j < 6; ++j) {
    const double share = j % 2 == 0 ? 0.7 : 1.3;
    rough.robot->robot.set_link(j,
                                LinkInertia<double>::from_parameters(share * rough.robot->robot.link(j).parameters()));
  }
  EXPECT_THAT(said_of(record, rough), ElementsAre(HasSubstr("torques of all joints are in mN m, not in N m")));
  for (int j = 0; j < 6; ++j) rough.robot->robot.set_link(j, {});
  rough.robot->robot.actuator_inertia().setZero();
  EXPECT_THAT(said_of(record, rough), IsEmpty());
  for (const std::size_t j : {0U, 2U, 4U}) {
    record = record_of(kFirstSeed + j);
    multiply(record.torque[j], 1000.0);
    EXPECT_THAT(said_of(record), ElementsAre(HasSubstr("joint" + std::to_string(j + 1) + ".torque is in mN m")));
  }
}

TEST(RobotUnits, TheMotorsSideForTheJoints) {
  RobotRecord record = record_of(kFirstSeed + 5);
  const auto ratio = tx40_spec().robot.transmission().ratio();
  for (int j = 0; j < 6; ++j) multiply(record.position[static_cast<std::size_t>(j)], ratio[j]);
  EXPECT_THAT(said_of(record), ElementsAre(HasSubstr("positions of all joints are the motor's, before its gear")));
  record = record_of(kFirstSeed + 6);
  multiply(record.torque[1], 1.0 / ratio[1]);
  EXPECT_THAT(said_of(record), ElementsAre(HasSubstr("joint2.torque is the motor's, before its gear")));
}

// What else may be wrong with a joint is said by the checks that come after.
TEST(RobotUnits, SignsRatiosAndClocksAreNone) {
  for (const std::size_t j : {1U, 3U, 5U}) {
    const RobotRecord good = record_of(kFirstSeed + 7 + j);
    RobotRecord wrong = good;
    multiply(wrong.position[j], -1.0);
    EXPECT_THAT(said_of(wrong), IsEmpty()) << "position of joint " << j + 1;
    wrong = good;
    multiply(wrong.torque[j], -1.0);
    EXPECT_THAT(said_of(wrong), IsEmpty()) << "torque of joint " << j + 1;
    wrong = good;
    multiply(wrong.position[j], 1.5), multiply(wrong.torque[j], 1.0 / 1.5);
    EXPECT_THAT(said_of(wrong), IsEmpty()) << "ratio of joint " << j + 1;
    wrong = good;
    std::rotate(wrong.torque[j].begin(), wrong.torque[j].end() - 10, wrong.torque[j].end());
    EXPECT_THAT(said_of(wrong), IsEmpty()) << "clock of joint " << j + 1;
  }
}

// The slopes, in deg/s as rad/s, of one joint of the other sign, or of all beside positions in degrees.
TEST(RobotUnits, OfMeasuredVelocities) {
  const RobotRecord positions = record_of(kFirstSeed + 9);
  RobotRecord good = positions;
  for (const std::vector<double>& each : positions.position) {
    good.velocity.emplace_back(each.size(), 0.0);
    for (std::size_t k = 1; k + 1 < each.size(); ++k)
      good.velocity.back()[k] = (each[k + 1] - each[k - 1]) / (2.0 * positions.period);
  }
  EXPECT_THAT(said_of(good), IsEmpty());
  RobotRecord wrong = good;
  multiply(wrong.velocity, 1.0 / kDegree);
  EXPECT_THAT(said_of(wrong), ElementsAre(HasSubstr("velocities of all joints are in deg/s, not in rad/s")));
  wrong = good;
  multiply(wrong.velocity[4], -1.0);
  EXPECT_THAT(said_of(wrong),
              ElementsAre(HasSubstr("joint5.velocity is of the other sign: as it was read it is -1 times "
                                    "the slope of joint5.position")));
  wrong = good;
  multiply(wrong.position, 1.0 / kDegree);
  EXPECT_THAT(said_of(wrong), ElementsAre(HasSubstr("positions of all joints are in deg, not in rad")));
}

TEST(RobotUnits, AreFoundBesideAWrongSign) {
  RobotRecord record = record_of(kFirstSeed + 8);
  multiply(record.position[2], -1.0 / kDegree);
  EXPECT_THAT(said_of(record), ElementsAre(HasSubstr("joint3.position is in deg")));
  const auto checks = check_joints(tx40_spec(), check_units(study(), record, kAtJoints).record, kAtJoints);
  EXPECT_EQ(checks[2].sign, WrongSign::position);
}

}  // namespace
}  // namespace tauhat
