// A robot from a URDF. Fixed joints are merged: the bodies behind them become part of the link that carries them, and
// their frames keep their names.
#pragma once

#include <string>

#include "tauhat/offline/robot/robot_spec.hpp"

namespace tauhat {

// Throws Error (wrong_use), by name: mimic, floating and planar joints, loops, an axis of length zero, more than
// kMaxJoints that move. `tip` is a link: joints that do not lead to it are held at zero, whatever they are; empty: all
// move.
RobotDescription parse_urdf(const std::string& text, const std::string& source, const std::string& tip = "");

// The text of a URDF file. Throws Error (wrong_use).
std::string read_urdf_text(const std::string& path);

}  // namespace tauhat
