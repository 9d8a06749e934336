// Exciting motion: its rates are its derivatives, its limits hold everywhere, and it is better than chance.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/differences.hpp"
#include "support/moved_robot.hpp"
#include "support/robot_records.hpp"
#include "tauhat/core/robot/frame_motion.hpp"
#include "tauhat/offline/error.hpp"
#include "tauhat/offline/robot/excitation_report.hpp"

namespace tauhat {
namespace {

MotionLimits wide_limits(int joints) {
  return {Eigen::VectorXd::Constant(joints, -1.0), Eigen::VectorXd::Constant(joints, 2.0),
          Eigen::VectorXd::Constant(joints, 3.0), Eigen::VectorXd::Constant(joints, 8.0)};
}

ExcitationOptions quick(std::uint64_t seed = 1) { return {.random_starts = 10, .evaluations = 150, .seed = seed}; }

template <class Use>
void along(const FourierTrajectory& motion, const Use& use) {
  for (int k = 0; k < 3000; ++k) use(motion.at(motion.period * k / 3000.0));
}

// Of the points that rise: all but the first joint.
double lowest(const Robot<double>& robot, const JointValues& position) {
  const auto pose = pose_of(robot, position);
  double height = std::min(pose.origin[1].z(), pose.origin[2].z());
  for (const char* name : {"tool", "middle"})
    height = std::min(height, frame_placement(pose, *robot.find_frame(name)).translation.z());
  return height;
}

TEST(FourierTrajectory, RatesAreItsDerivatives) {
  const FourierTrajectory motion = moved_robot(3).motion;
  for (const double time : {0.0, 1.3, 7.7}) {
    for (int j = 0; j < 3; ++j) {
      const auto position = [&](double t) { return motion.at(t).position[j]; };
      const auto velocity = [&](double t) { return motion.at(t).velocity[j]; };
      EXPECT_NEAR(central_difference(position, time, 1e-4), motion.at(time).velocity[j], 1e-6);
      EXPECT_NEAR(central_difference(velocity, time, 1e-4), motion.at(time).acceleration[j], 1e-6);
    }
  }
}

TEST(Excitation, StaysWithinItsLimitsBetweenItsSamplesToo) {
  const MovedRobot robot = moved_robot(3);
  const MotionLimits limits = wide_limits(3);
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    const ExcitingMotion found = optimise_excitation(robot.columns, robot.base, limits, quick(seed));
    along(found.trajectory, [&](const JointMotion& at) {
      EXPECT_LE((at.position - limits.upper).maxCoeff(), 0.0);
      EXPECT_GE((at.position - limits.lower).minCoeff(), 0.0);
      EXPECT_LE((at.velocity.cwiseAbs() - limits.velocity).maxCoeff(), 0.0);
      EXPECT_LE((at.acceleration.cwiseAbs() - limits.acceleration).maxCoeff(), 0.0);
    });
  }
}

TEST(Excitation, StaysWithinTorqueAndAboveTheTable) {
  const MovedRobot robot = moved_robot(3);
  MotionLimits limits = wide_limits(3);
  const ExcitingMotion free = optimise_excitation(robot.columns, robot.base, limits, quick());
  Eigen::VectorXd largest = Eigen::VectorXd::Zero(3);
  double height = 10.0;
  TorqueRows rows;
  const auto torque_of = [&](const JointMotion& at) -> Eigen::VectorXd {
    robot.columns.fill(at.position, at.velocity, at.acceleration, rows);
    return rows * robot.parameters;
  };
  const auto measure = [&](const JointMotion& at) {
    largest = largest.cwiseMax(torque_of(at).cwiseAbs());
    height = std::min(height, lowest(robot.columns.robot(), at.position));
  };
  along(free.trajectory, measure);
  limits.torque = 0.95 * largest;
  limits.torque_of = torque_of;
  limits.height = height + 0.02;
  ExcitationOptions longer = quick();
  longer.evaluations = 500;
  const ExcitingMotion within = optimise_excitation(robot.columns, robot.base, limits, longer);
  largest.setZero();
  height = 10.0;
  along(within.trajectory, measure);
  EXPECT_LE((largest - limits.torque).maxCoeff(), 0.002 * limits.torque.maxCoeff());
  EXPECT_GE(height, *limits.height - 1e-3);
}

TEST(Excitation, ImprovesOnItsRandomStartsAndRepeats) {
  const MovedRobot robot = moved_robot(3);
  ExcitationOptions starts = quick();
  starts.evaluations = starts.random_starts;
  const double start = optimise_excitation(robot.columns, robot.base, wide_limits(3), starts).condition;
  const ExcitingMotion found = optimise_excitation(robot.columns, robot.base, wide_limits(3), quick());
  EXPECT_LT(found.condition, 0.9 * start);
  EXPECT_NEAR(condition_of(found.trajectory, robot.columns, robot.base, 150), found.condition, 1e-9);
  EXPECT_EQ(optimise_excitation(robot.columns, robot.base, wide_limits(3), quick()).trajectory.sine,
            found.trajectory.sine);
}

TEST(Excitation, SaysWhatLeavesNoRoom) {
  const MovedRobot robot = moved_robot(2);
  const auto refusal = [&](const MotionLimits& limits) -> std::string {
    try {
      optimise_excitation(robot.columns, robot.base, limits, quick());
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  };
  MotionLimits limits = wide_limits(2);
  limits.upper[1] = -1.0;
  EXPECT_THAT(refusal(limits), testing::HasSubstr("joint 2: its limits leave no room"));
  limits = wide_limits(2);
  limits.height = 100.0;
  EXPECT_THAT(refusal(limits), testing::HasSubstr("does not keep excite.height = 100 m (its lowest point comes down"));
  limits = wide_limits(2);
  limits.torque = Eigen::VectorXd::Constant(2, 1e9), limits.torque[1] = 1e-3;
  limits.torque_of = [](const JointMotion& at) -> Eigen::VectorXd { return at.acceleration; };
  limits.source = "arm.toml: ", limits.names = {"shoulder", "elbow"};
  EXPECT_THAT(refusal(limits), testing::HasSubstr("arm.toml: no motion of 150 tried"));
  EXPECT_THAT(refusal(limits), testing::HasSubstr("does not keep limit.torque of elbow ("));
}

// Whatever of friction is fitted: the drives have to bear all of it.
TEST(Excitation, LimitsTheTorqueOfAllFrictionThatIsKnown) {
  RobotSpec robot = tx40_spec();
  robot.terms.law = SlidingLaw::stribeck;
  robot.terms.offset = false;
  for (RobotJoint& joint : robot.joints) {
    joint.limits = {-1.0, 1.0, 2.0, 10.0, 100.0};
    joint.friction.offset = 5.0, joint.friction.excess = 3.0, joint.friction.decay = 0.1;
  }
  const MotionLimits limits = motion_limits(robot, "arm.toml");
  const JointValues zero = JointValues::Zero(6), speed = JointValues::Constant(6, 0.3);
  const Eigen::VectorXd torque = inverse_dynamics(robot.robot, zero, speed, zero) +
                                 friction_torque(robot.robot.transmission(), friction_of(robot), speed);
  EXPECT_LT((limits.torque_of({zero, speed, zero}) - torque).norm(), 1e-9);
}

}  // namespace
}  // namespace tauhat
