// The parameters of a robot's fit as results: base parameters with their groupings and intervals, the shapes of
// friction, and what the motion does not tell.
#pragma once

#include <vector>

#include "tauhat/offline/report/report.hpp"
#include "tauhat/offline/robot/friction_shape.hpp"
#include "tauhat/offline/robot/robot_identification.hpp"
#include "tauhat/offline/robot/robot_suspects.hpp"

namespace tauhat {

// Each parameter that the motion does not tell, with its joint; and whether it tells any.
bool judge_determined(const RobotIdentification& identification, const RobotFit& fit, Report& report);

// With what else could explain the torques, and what their gains may be off by. The samples are those of the fit, of
// each record.
void add_parameters(const RobotIdentification& identification, const RobotFit& fit,
                    const std::vector<RobotRecord>& records, const std::vector<RowSample>& samples,
                    const UncertainGains& gains, Report& report);

// How fast each joint's friction falls and how far its contacts bend, or why that is not told.
void add_shapes(const RobotSpec& robot, const ShapedFriction& friction, Report& report);

// The rms of each joint as results "<joint>.<name>".
void add_residuals(const RobotSpec& robot, const Eigen::VectorXd& rms, const char* name, const char* note,
                   Report& report);

// Suspects that chance may bring, as well, and that widen intervals all the same: which, and the interval that becomes
// widest. `shift`: by how much they would move the parameters.
void judge_widening(const RobotIdentification& identification, const RobotFit& fit,
                    const std::vector<RobotSuspect>& suspects, const Eigen::VectorXd& shift, Report& report);

}  // namespace tauhat
