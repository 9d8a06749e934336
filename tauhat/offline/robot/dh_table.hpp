// A robot from the rows of a modified Denavit-Hartenberg table (Khalil and Dombre 2002, ch. 3).
#pragma once

#include <string>
#include <vector>

#include "tauhat/offline/robot/robot_spec.hpp"

namespace tauhat {

struct DhRow {
  RobotJoint joint;
  JointType type = JointType::revolute;
  int parent = kBase;  // a row before this one
  ModifiedDh<double> placement{0.0, 0.0, 0.0, 0.0};
  LinkInertia<double> inertia;
};

// At most kMaxJoints rows. A link is called after its joint. Its frame is there by that name, and the world's as
// "base".
RobotDescription robot_of_table(const std::vector<DhRow>& rows);

}  // namespace tauhat
