// A URDF with the inertias and the friction of a robot that was identified; all other text stays as it is, comments and
// spaces too.
#pragma once

#include <string>
#include <vector>

#include "tauhat/offline/report/diagnostic.hpp"
#include "tauhat/offline/robot/robot_spec.hpp"

namespace tauhat {

// `text` is the URDF that `robot` was read from. A body that fixed joints hold together has all of its inertia at the
// link that moves; the others of its links lose theirs. Bodies without mass keep what they have: they were not found.
// Throws Error (wrong_use) where the text is another robot's.
std::string corrected_urdf(const std::string& text, const std::string& source, const RobotDescription& robot);

// What of a robot has no place in a URDF.
std::vector<Diagnostic> diagnose_urdf(const RobotSpec& robot);

}  // namespace tauhat
