// Whether a robot's log can be used: what `check` says of it, and `identify`, too.
#pragma once

#include <vector>

#include "tauhat/offline/report/report.hpp"
#include "tauhat/offline/robot/measured_side.hpp"
#include "tauhat/offline/robot/robot_identification.hpp"
#include "tauhat/offline/study/study.hpp"

namespace tauhat {

// The part that the checks look at.
RobotRecord checked_part(const RobotRecord& record);

// Units, signs, ratios and clocks as `check` finds them, of the longest record of each log: a fit to a wrong one is the
// good fit of another robot. What only the study's inertias speak for is no finding: they are what is asked for. False
// where a unit is mistaken, so that nothing else can be told.
bool judge_units(const Study& study, const MotorSides& sides, const std::vector<RobotRecord>& records, Report& report);
void judge_joints(const RobotSpec& robot, const MotorSides& sides, const std::vector<RobotRecord>& records,
                  Report& report);

// Of the parameters that every law of friction has: what else friction does is small beside them however well the
// motion tells it.
double condition_of(const RobotSpec& robot, const std::vector<RobotRecord>& records);
void judge_excitation(double condition, Report& report);

}  // namespace tauhat
