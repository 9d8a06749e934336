// What reports of robots show: parameters beside what was known of them, and torques beside those of the model.
#pragma once

#include "tauhat/offline/report/report.hpp"
#include "tauhat/offline/robot/robot_identification.hpp"

namespace tauhat {

// Measured, by the model, and what is left, of each joint.
Section torque_section(const RobotSpec& robot, const TorquePrediction& prediction, std::string title, std::string text);

// Base parameters with the intervals of their results, the prior, and which of them the torques need; one plot a unit.
Section parameter_section(const RobotIdentification& identification, const std::vector<Result>& results,
                          const RobotPrior& prior, const EssentialFit& essential);

// The bodies, actuators and friction that are written to a URDF or a study, beside the prior.
Section body_section(const RobotIdentification& identification, const RobotPrior& prior, const ConsistentFit& bodies);

}  // namespace tauhat
