// Numbers of a joint over the pose: against the cosines that they come from.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "tauhat/offline/joint/moving_axis.hpp"
#include "tauhat/offline/joint/pose_schedule.hpp"

namespace tauhat {
namespace {

constexpr double kDegree = std::numbers::pi / 180.0, kReach = 2.5, kStraight = 13.0992, kOwn = 2.7927;

// Two links: M_ll = m + 2 a cos p, M_ln = M_nn + a cos p, every 15 degrees.
PoseSchedule two_links() {
  PoseSchedule schedule;
  for (int degrees = 0; degrees <= 150; degrees += 15) {
    const double p = degrees * kDegree;
    schedule.position.push_back(p);
    schedule.load_inertia.push_back(kStraight + 2.0 * kReach * std::cos(p));
    schedule.coupling_inertia.push_back(kOwn + kReach * std::cos(p));
    schedule.gravity_cosine.push_back(120.0 + 60.0 * std::cos(p));
  }
  return schedule;
}

TEST(PoseSchedule, MeetsTheCosinesBetweenItsPoints) {
  const PoseSchedule schedule = two_links();
  ElasticJoint<double> joint;
  joint.neighbour_inertia = kOwn;
  GravityTorque<double> gravity{-49.0, 0.0};
  for (double p = 15.0 * kDegree; p < 135.0 * kDegree; p += 0.01) {
    take_pose(schedule, p, joint, gravity);
    EXPECT_NEAR(joint.load_inertia, kStraight + 2.0 * kReach * std::cos(p), 2e-3) << p;
    EXPECT_NEAR(joint.coupling_inertia, kOwn + kReach * std::cos(p), 1e-3) << p;
    EXPECT_NEAR(gravity.cosine, 120.0 + 60.0 * std::cos(p), 3e-2) << p;
  }
  EXPECT_EQ(joint.neighbour_inertia, kOwn);  // does not follow: stays
  EXPECT_EQ(gravity.sine, -49.0);
}

TEST(PoseSchedule, BeyondItsEndsStaysAtThem) {
  const PoseSchedule schedule = two_links();
  ElasticJoint<double> joint;
  GravityTorque<double> gravity;
  take_pose(schedule, -0.3, joint, gravity);
  EXPECT_EQ(joint.load_inertia, schedule.load_inertia.front());
  EXPECT_FALSE(schedule.contains(-0.3));
  EXPECT_FALSE(schedule.contains(151.0 * kDegree));
  EXPECT_TRUE(schedule.contains(150.0 * kDegree));
}

// Lagrange's equations of the two links, written out with h = -a sin p.
TEST(PoseSchedule, MovingPosesPullAsTwoLinksDo) {
  const PoseSchedule schedule = two_links();
  ElasticJoint<double> joint;
  joint.neighbour_inertia = kOwn;
  GravityTorque<double> gravity;
  for (const double p : {0.6, 1.0, 1.5, 2.0}) {
    take_pose(schedule, p, joint, gravity);
    const double velocity = 1.7, acceleration = -9.0, load = 0.8, h = -kReach * std::sin(p);
    const PoseTorques asked = torques_of(schedule, joint, {p, velocity, acceleration}, load);
    EXPECT_NEAR(asked.load,
                (kOwn + kReach * std::cos(p)) * acceleration + h * (2.0 * load * velocity + velocity * velocity), 0.1);
    EXPECT_NEAR(asked.neighbour, kOwn * acceleration - h * load * load, 0.02);
  }
}

// Without springs between, link and moving neighbour keep the momentum about axis 2:  M_ll w_l + M_ln p'.
TEST(MovingAxis, KeepsItsMomentum) {
  MovingAxis moving;
  using Joint = ElasticJoint<double>;
  moving.schedule = two_links();
  moving.schedule.gravity_cosine.clear();
  moving.axis.joint.neighbour_inertia = kOwn;
  moving.axis.joint.stiffness = 1e-9, moving.axis.joint.neighbour_stiffness = 1e9;
  moving.axis.joint.neighbour_damping = 1e5;  // the neighbour follows its motor
  moving.centre = 75.0 * kDegree, moving.frequency = 0.5;
  Vector<double, MovingAxis::kStates> x = Vector<double, MovingAxis::kStates>::Zero();
  x[MovingAxis::pose_position] = 125.0 * kDegree;
  const auto momentum = [&](const Vector<double, MovingAxis::kStates>& at) {
    const double p = at[MovingAxis::pose_position];
    return (kStraight + 2.0 * kReach * std::cos(p)) * at[Joint::load_velocity] +
           (kOwn + kReach * std::cos(p)) * at[MovingAxis::pose_velocity];
  };
  constexpr double kStep = 2e-6;
  const Vector<double, 1> nothing = Vector<double, 1>::Zero();
  double fastest = 0.0;
  for (int k = 0; k < 400000; ++k) {
    const auto half = (x + 0.5 * kStep * moving.derivative(x, nothing)).eval();
    x += kStep * moving.derivative(half, nothing);
    fastest = std::max(fastest, std::abs(x[Joint::load_velocity]));
  }
  EXPECT_GT(fastest, 0.3);  // it was thrown about
  EXPECT_NEAR(momentum(x), 0.0, 2e-2 * kStraight * fastest);
}

}  // namespace
}  // namespace tauhat
