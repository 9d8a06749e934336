// A study's text with a robot that was identified: of every joint the inertia of its link, the actuator's inertia, the
// friction, and the torque that they leave. Everything else, comments too, stays as it was.
#pragma once

#include <string>

#include "tauhat/offline/robot/robot_spec.hpp"

namespace tauhat {

// `urdf` is what the new study calls its URDF; empty: as it was. Throws Error (wrong_use) where the text does not list
// its joints as [[robot.joint]].
std::string study_with_robot(const std::string& text, const std::string& source, const RobotSpec& robot,
                             const std::string& urdf);

}  // namespace tauhat
