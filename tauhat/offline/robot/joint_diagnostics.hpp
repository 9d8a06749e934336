// What was found of a robot's joints (robot_checks.hpp), in sentences.
#pragma once

#include <vector>

#include "tauhat/offline/report/diagnostic.hpp"
#include "tauhat/offline/robot/robot_checks.hpp"

namespace tauhat {

// One sentence for each thing that is wrong or not told, with what to write in the study, or what to measure.
std::vector<Diagnostic> joint_diagnostics(const RobotSpec& robot, const MotorSides& sides,
                                          const std::vector<JointCheck>& checks);

}  // namespace tauhat
