// By how much a robot's parameters differ from run to run beyond their noise.
#include "tauhat/offline/robot/robot_repeats.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "support/moved_robot_spec.hpp"
#include "tauhat/offline/report/between_runs.hpp"

namespace tauhat {
namespace {

constexpr int kJoints = 3;

int friction_of(const RobotIdentification& identification, int joint, const std::string& kind) {
  for (int k = 0; k < identification.base().count(); ++k)
    if (identification.result_name(k) == "joint" + std::to_string(joint + 1) + ".friction." + kind) return k;
  return -1;
}
int viscous_of(const RobotIdentification& identification, int joint) {
  return friction_of(identification, joint, "viscous");
}

RobotRepeats repeats(const RobotSpec& spec, const std::vector<RobotRecord>& records) {
  const RobotIdentification identification(spec);
  return repeats_of(identification, identification.fit(records), records);
}

// Four logs; in each the second joint's viscous friction is another.
std::vector<RobotRecord> logs(const MovedRobot& robot, const RobotSpec& spec, const std::vector<double>& factors) {
  const RobotIdentification identification(spec);
  const int viscous = identification.base().columns[static_cast<std::size_t>(viscous_of(identification, 1))];
  std::vector<RobotRecord> records;
  for (std::size_t r = 0; r < factors.size(); ++r) {
    MovedRobot other = robot;
    other.parameters[viscous] *= factors[r];
    records.push_back(other.record({1e-5, 0.2}, 10 + r));
    records.back().source = "log" + std::to_string(r + 1);
  }
  return records;
}

TEST(RobotRepeats, AreThoseOfTheFrictionThatChanges) {
  const MovedRobot robot = moved_robot(kJoints);
  const RobotSpec spec = spec_of(robot);
  const RobotIdentification identification(spec);
  const int k = viscous_of(identification, 1);
  const double truth = robot.truth()[k];
  // Standard deviation 0.1 of its value; one more run differs from the mean of four by sqrt(5 / 4) times as much.
  const RobotRepeats found = repeats(spec, logs(robot, spec, {0.9, 1.1, 1.1, 0.9}));
  EXPECT_EQ(found.runs, 4U);
  EXPECT_NEAR(found.std[k] / truth, 0.1155 * std::sqrt(1.25), 0.01);
  EXPECT_EQ(found.freedom[k], 3.0);
  // Of the others no more than their noise.
  const RobotFit fit = identification.fit(logs(robot, spec, {1.0, 1.0, 1.0, 1.0}));
  for (const int joint : {0, 2}) {
    const int other = viscous_of(identification, joint);
    EXPECT_LT(found.std[other], 4.0 * fit.deviation(other)) << joint + 1;
  }
  const int stays = friction_of(identification, 1, "coulomb");
  EXPECT_LT(found.std[stays], 4.0 * fit.deviation(stays));
}

TEST(RobotRepeats, OfOneRunAreUnknown) {
  const MovedRobot robot = moved_robot(kJoints);
  const RobotSpec spec = spec_of(robot);
  const RobotRepeats found = repeats(spec, {robot.record({1e-5, 0.2}, 1, 9.0)});
  EXPECT_EQ(found.runs, 1U);
  EXPECT_EQ(found.std.maxCoeff(), 0.0);
}

// The motion has a period of 10 s.
TEST(RobotRepeats, FindThePeriodOfAMotion) {
  const MovedRobot robot = moved_robot(kJoints);
  const RobotRecord record = robot.record({1e-5, 0.2}, 1, 30.0);
  EXPECT_NEAR(period_of(record), 10.0, 0.02);
  EXPECT_EQ(period_of(robot.record({1e-5, 0.2}, 1, 14.0)), 0.0);
  EXPECT_EQ(repeats(spec_of(robot), {record}).runs, 3U);
}

// Its encoder's noise is the same again at no time.
TEST(RobotRepeats, FindThePeriodBesideAJointThatRests) {
  MovedRobot robot = moved_robot(kJoints);
  robot.motion.sine.row(0).setZero(), robot.motion.cosine.row(0).setZero();
  EXPECT_NEAR(period_of(robot.record({1e-5, 0.2}, 1, 30.0)), 10.0, 0.02);
  robot.motion.sine.setZero(), robot.motion.cosine.setZero();
  EXPECT_EQ(period_of(robot.record({1e-5, 0.2}, 1, 30.0)), 0.0);
}

// Two values 2 apart, of deviation 1 each: s^2 = 2, of which 1 is noise; weights of a half.
TEST(BetweenRuns, LeaveTheNoiseOut) {
  const BetweenRuns found = between_runs({{9.0, 1.0, 3.0}, {11.0, 1.0, 3.0}});
  EXPECT_DOUBLE_EQ(found.mean, 10.0);
  EXPECT_DOUBLE_EQ(found.spread, 2.0);
  EXPECT_DOUBLE_EQ(found.repeat_variance(), 1.5);
}

}  // namespace
}  // namespace tauhat
