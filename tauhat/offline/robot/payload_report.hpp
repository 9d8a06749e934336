// What a robot carries, as results of a report: mass, centre and inertia with their intervals.
#pragma once

#include "tauhat/offline/report/report.hpp"
#include "tauhat/offline/robot/robot_identification.hpp"

namespace tauhat {

// Both fits are of `identification`. Told in the frame that the study names, else in that of the last link. `by_gains`
// as identify_payload() has it.
void add_payload(const RobotIdentification& identification, const RobotFit& empty, const RobotFit& loaded,
                 const Eigen::MatrixXd& by_gains, Report& report);

}  // namespace tauhat
