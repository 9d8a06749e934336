// The dynamics of robots beside MuJoCo's, an independent program: the TX40 on the paper's states, and random trees.
#include <gtest/gtest.h>

#include <fmt/format.h>

#include "support/robots.hpp"
#include "tauhat/core/robot/derivatives.hpp"
#include "tauhat/core/robot/regressor.hpp"
#include "tauhat/offline/reproduce/mujoco_peer.hpp"
#include "tauhat/offline/reproduce/tx40.hpp"

namespace tauhat {
namespace {

using JointValues = JointVector<double, Eigen::Dynamic>;

// 300 states as the paper's set-up draws them: q in +-2 rad, v in +-3 rad/s, a in +-20 rad/s^2.
TEST(RobotBesideMujoco, Tx40HasTheSameTorques) {
  const Robot<double> arm = pyrhonen::tx40().cast<double, Eigen::Dynamic>();
  MujocoPeer peer(arm);
  Draw draw(7);
  double largest = 0.0;
  for (int k = 0; k < 300; ++k) {
    const RobotState s = random_state(draw, 6);
    const JointValues torque = inverse_dynamics(arm, s.position, s.velocity, s.acceleration);
    largest = std::max(largest,
                       (torque - peer.inverse_dynamics(s.position, s.velocity, s.acceleration)).cwiseAbs().maxCoeff());
  }
  RecordProperty("largest_difference", fmt::format("{:.2g} N m", largest));
  EXPECT_LT(largest, 1e-9);
}

TEST(RobotBesideMujoco, RandomTreesMoveAlike) {
  for_random_robots(5, [](const Robot<double>& random, const RobotState& s, Draw& draw) {
    Robot<double> robot = random;
    robot.transmission() = Transmission<double, Eigen::Dynamic>(robot.joints());  // MuJoCo's actuators are not coupled
    MujocoPeer peer(robot);
    const JointValues torque = inverse_dynamics(robot, s.position, s.velocity, s.acceleration);
    EXPECT_LT((torque - peer.inverse_dynamics(s.position, s.velocity, s.acceleration)).cwiseAbs().maxCoeff(), 1e-9);
    const int link = robot.joints() / 2;
    const Vector<double, 3> centre = robot.link(link).first_moment / robot.link(link).mass;
    const ExternalWrench<double> f{{FrameName("centre"), link, {Matrix<double, 3>::Identity(), centre}},
                                   {10.0 * draw.matrix<double, 3>(), draw.matrix<double, 3>()},
                                   WrenchAxes::world};
    const JointValues acceleration = forward_dynamics(robot, s.position, s.velocity, s.acceleration, f).acceleration;
    const JointValues theirs = peer.forward_dynamics(s.position, s.velocity, s.acceleration, link, f.wrench);
    EXPECT_LT((acceleration - theirs).cwiseAbs().maxCoeff(), 1e-8 * (1.0 + theirs.cwiseAbs().maxCoeff()));
  });
}

}  // namespace
}  // namespace tauhat
