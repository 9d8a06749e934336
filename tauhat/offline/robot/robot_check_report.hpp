// Whether a robot's log can be used: what `check` says of it, and `identify`, too.
#pragma once

#include <vector>

#include "tauhat/offline/report/report.hpp"
#include "tauhat/offline/robot/measured_side.hpp"
#include "tauhat/offline/robot/robot_identification.hpp"

namespace tauhat {

// The part that the checks look at.
RobotRecord checked_part(const RobotRecord& record);

// Signs, ratios and clocks as `check` finds them, of the longest record of each log: a fit to a wrong one is the good
// fit of another robot. What only the study's inertias speak for is no finding: they are what is asked for.
void judge_joints(const RobotSpec& robot, const MotorSides& sides, const std::vector<RobotRecord>& records,
                  Report& report);

// Of the parameters that every law of friction has: what else friction does is small beside them however well the
// motion tells it.
double condition_of(const RobotSpec& robot, const std::vector<RobotRecord>& records);
void judge_excitation(double condition, Report& report);

}  // namespace tauhat
