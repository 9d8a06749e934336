// What a robot's model leaves of torques that its fit has not seen.
#pragma once

#include <optional>
#include <vector>

#include "tauhat/offline/report/report.hpp"
#include "tauhat/offline/robot/robot_identification.hpp"

namespace tauhat {

// By another log; else by the last part of the longest, with a fit to the rest of all, which begins with the study as
// if the last part had never been seen.
void validate(const RobotSpec& study, const RobotIdentification& identification, const RobotFit& fit,
              const std::vector<RobotRecord>& records, const std::optional<RobotRecord>& other, Report& report);

}  // namespace tauhat
