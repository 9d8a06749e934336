// The study's view of a robot that was moved: its joints have names, and nothing else is known.
#pragma once

#include "support/moved_robot.hpp"
#include "tauhat/offline/robot/robot_spec.hpp"

namespace tauhat {

inline RobotSpec spec_of(const MovedRobot& robot) {
  RobotSpec spec;
  spec.robot = robot.columns.robot();
  for (int j = 0; j < spec.count(); ++j) {
    RobotJoint joint;
    joint.name = joint.link = "joint" + std::to_string(j + 1);
    spec.joints.push_back(joint);
  }
  return spec;
}

}  // namespace tauhat
