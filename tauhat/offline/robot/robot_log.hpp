// From a log to series of all joints on one clock: interpolated to one rate, and brought from the motors to the joints
// (measured_side.hpp). The torque of a motor, which is held from one stamp to the next, counts as that of its middle.
#pragma once

#include <string>
#include <vector>

#include "tauhat/offline/log/log.hpp"
#include "tauhat/offline/robot/measured_side.hpp"
#include "tauhat/offline/robot/motion_rows.hpp"
#include "tauhat/offline/robot/robot_spec.hpp"

namespace tauhat {

// Which of them the study measures at the motors.
MotorSides motor_sides(const RobotSpec& robot, const Log& log);

// One for each stretch between the holes of any channel (log/part.hpp), in the order of time; at least one. What was
// interpolated, and what is missing, is said in the diagnostics.
// Throws Error (unusable_data) where the channels have too little time in common.
std::vector<RobotRecord> robot_records(const RobotSpec& robot, const Log& log, std::vector<Diagnostic>& diagnostics);
const RobotRecord& longest_of(const std::vector<RobotRecord>& records);
// From one share of its time, in 0 to 1, to another.
RobotRecord part_of(const RobotRecord& record, double begin, double end);

// The log with these channels at one rate, while all of them were recorded, by lines between the samples or by steps
// that hold them; NaN in their holes. The others are as they are.
Log interpolated_log(const Log& log, const std::vector<std::string>& lines, const std::vector<std::string>& steps,
                     double rate);

}  // namespace tauhat
