// From a log to series of all joints on one clock: interpolated to one rate, and brought from the motors to the joints.
//   motors at the output side of their gears:  (C q)_i = q_motor,i / ratio_i
//   torques of the motors:                      tau = C^T diag(ratio) tau_motor
#pragma once

#include <vector>

#include "tauhat/offline/log/log.hpp"
#include "tauhat/offline/robot/motion_rows.hpp"
#include "tauhat/offline/robot/robot_checks.hpp"
#include "tauhat/offline/robot/robot_spec.hpp"

namespace tauhat {

// Which of them the study measures at the motors.
MotorSides motor_sides(const RobotSpec& robot, const Log& log);

// Throws Error (unusable_data) where the channels have too little time in common. What was interpolated is said in the
// diagnostics.
RobotRecord robot_record(const RobotSpec& robot, const Log& log, std::vector<Diagnostic>& diagnostics);

}  // namespace tauhat
