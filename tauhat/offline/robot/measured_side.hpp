// What a log measures of the joints, each at the joint or at its motor, as linear maps of the joints' own quantities.
//   motors at the output side of their gears:  (C q)_i = q_motor,i / ratio_i
//   torques of the motors:                      tau = C^T diag(ratio) tau_motor
#pragma once

#include <string>
#include <vector>

#include "tauhat/offline/robot/robot_spec.hpp"

namespace tauhat {

using JointMap = JointMatrix<double, Eigen::Dynamic>;

// Which of them the log has at the motors, in the joints' order.
struct MotorSides {
  std::vector<bool> position, torque;
};

// Positions (velocities, accelerations) as they are measured, by the joints': ratio C at a motor, one at a joint.
JointMap measured_by_joints(const RobotSpec& robot, const std::vector<bool>& at_motor);

// The joints' torques by what is measured. A joint whose torque comes from motors needs all that act on it: else throws
// Error (wrong_use) that begins with `source`.
JointMap joint_torque_by_measured(const RobotSpec& robot, const std::vector<bool>& at_motor, const std::string& source);

// The product, where what is missing spoils only the rows that need it.
JointValues mapped(const JointMap& map, const JointValues& values) noexcept;

}  // namespace tauhat
