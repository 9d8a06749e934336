#include "tauhat/offline/robot/dh_table.hpp"

namespace tauhat {

RobotDescription robot_of_table(const std::vector<DhRow>& rows) {
  RobotDescription description;
  description.robot = Robot<double>(static_cast<int>(rows.size()));
  description.frames.push_back({"base", kBase, {}});
  for (int i = 0; i < description.robot.joints(); ++i) {
    const DhRow& row = rows[static_cast<std::size_t>(i)];
    description.robot.set_joint(i, Joint<double>(row.parent, row.type, row.placement.placement()));
    description.robot.set_link(i, row.inertia);
    description.joints.push_back(row.joint);
    description.joints.back().link = row.joint.name;
    description.frames.push_back({row.joint.name, i, {}});
  }
  return description;
}

}  // namespace tauhat
