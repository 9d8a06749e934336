// How fast the friction of a robot's joints falls with speed, from records of its motion. The torques are not linear in
// the decay: it is found by Gauss and Newton, with the columns Fe and Fd of torque_columns.hpp, about the best of a few
// starts.
#pragma once

#include <optional>
#include <vector>

#include "tauhat/offline/robot/robot_identification.hpp"

namespace tauhat {

// The robot with the decay of each joint that fits best; as it is where its law has none, and of a joint whose friction
// does not fall.
RobotSpec with_fitted_decay(const RobotSpec& robot, const std::vector<RobotRecord>& records);

struct Decay {
  double value, std;  // s/rad (s/m)
};
// Empty where the joint's excess is within its own uncertainty: nothing falls.
std::optional<Decay> fitted_decay(const RobotIdentification& identification, const RobotFit& fit, int joint);

}  // namespace tauhat
