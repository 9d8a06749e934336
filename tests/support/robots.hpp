// Robots for tests: seeded chains and trees of revolute and prismatic joints with bodies that can exist, and states.
#pragma once

#include <Eigen/Geometry>

#include <array>
#include <numbers>

#include "support/random.hpp"
#include "tauhat/core/robot/robot.hpp"

namespace tauhat {

enum class Shape { chain, tree };

inline Placement<double> random_placement(Draw& draw) {
  const Eigen::Quaterniond turn(draw.matrix<double, 4>().normalized());
  return {turn.toRotationMatrix(), 0.3 * draw.matrix<double, 3>()};
}

// A few point masses: their inertia is that of a body.
inline LinkInertia<double> random_link(Draw& draw) {
  LinkInertia<double> link;
  for (int i = 0; i < 6; ++i) {
    const Placement<double> at{Matrix<double, 3>::Identity(), 0.2 * draw.matrix<double, 3>()};
    link += LinkInertia<double>::from_centre_of_mass(draw.between(0.1, 1.0), at, Matrix<double, 3>::Zero());
  }
  return link;
}

inline Robot<double> random_robot(Draw& draw, int joints, Shape shape) {
  Robot<double> robot(joints);
  robot.gravity = Vector<double, 3>(0.7, -1.1, -9.7);
  JointMatrix<double, Eigen::Dynamic> coupling = robot.transmission().coupling();
  for (int i = 0; i < joints; ++i) {
    const int parent = shape == Shape::chain ? i - 1 : static_cast<int>(draw.between(0.0, i + 0.999)) - 1;
    const auto type = draw.between(0.0, 1.0) < 0.3 ? JointType::prismatic : JointType::revolute;
    robot.set_joint(i, Joint<double>(parent, type, random_placement(draw), draw.matrix<double, 3>().normalized()));
    robot.set_link(i, random_link(draw));
    robot.actuator_inertia()[i] = draw.between(0.01, 0.5);
  }
  if (joints > 1) coupling(joints - 1, joints - 2) = 0.8;  // a wrist whose last motor follows the joint before
  robot.transmission() = {robot.transmission().ratio(), coupling};
  robot.add_frame("tool", joints - 1, random_placement(draw));
  robot.add_frame("middle", joints / 2, random_placement(draw));
  return robot;
}

// The geometry of a Franka Emika Panda, from its maker's documentation (modified Denavit-Hartenberg), with bodies of no
// arm in particular.
inline Robot<double, 7> panda(Draw& draw) {
  constexpr double kRight = std::numbers::pi / 2.0;
  constexpr std::array<ModifiedDh<double>, 7> kRows{{{0.0, 0.0, 0.333, 0.0},
                                                     {-kRight, 0.0, 0.0, 0.0},
                                                     {kRight, 0.0, 0.316, 0.0},
                                                     {kRight, 0.0825, 0.0, 0.0},
                                                     {-kRight, -0.0825, 0.384, 0.0},
                                                     {kRight, 0.0, 0.0, 0.0},
                                                     {kRight, 0.088, 0.0, 0.0}}};
  Robot<double, 7> robot;
  for (int i = 0; i < 7; ++i) {
    robot.set_joint(i, Joint<double>(i - 1, JointType::revolute, kRows[static_cast<std::size_t>(i)].placement()));
    robot.set_link(i, random_link(draw));
  }
  robot.add_frame("flange", 6, {Matrix<double, 3>::Identity(), {0.0, 0.0, 0.107}});
  return robot;
}

struct RobotState {
  JointVector<double, Eigen::Dynamic> position, velocity, acceleration;
};

inline RobotState random_state(Draw& draw, int joints) {
  const auto vector = [&](double range) {
    JointVector<double, Eigen::Dynamic> x(joints);
    for (int i = 0; i < joints; ++i) x[i] = draw.between(-range, range);
    return x;
  };
  return {vector(2.0), vector(3.0), vector(20.0)};
}

// Every size, both shapes, with a state: `use(robot, state, draw)`.
template <class Use>
void for_random_robots(int cases, const Use& use) {
  Draw draw(7);
  for (int k = 0; k < cases; ++k) {
    for (int joints = 1; joints <= kMaxJoints; ++joints) {
      for (const Shape shape : {Shape::chain, Shape::tree}) {
        const Robot<double> robot = random_robot(draw, joints, shape);
        use(robot, random_state(draw, joints), draw);
      }
    }
  }
}

}  // namespace tauhat
