// A motion that tells a robot's parameters apart, by its study: within the joints' limits, and as a report to look at.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include "tauhat/offline/report/report.hpp"
#include "tauhat/offline/robot/excitation.hpp"
#include "tauhat/offline/robot/robot_spec.hpp"

namespace tauhat {

// The joints' limits but for the study's margin. Torque is limited where the study knows limits and all inertias.
// Throws Error (wrong_use) with the joints and keys whose limits are missing.
MotionLimits motion_limits(const RobotSpec& robot, const std::string& source);

struct ExcitationAnswer {
  ExcitingMotion motion;
  Report report;
};

// `source` is the study's name, for messages. With the standard deviation of each joint's torque the report says how
// well one period will tell the parameters.
ExcitationAnswer answer_excitation(const RobotSpec& robot, const std::string& source, std::uint64_t seed,
                                   const std::optional<Eigen::VectorXd>& torque_std = {},
                                   const std::function<void(double)>& progress = {});

}  // namespace tauhat
