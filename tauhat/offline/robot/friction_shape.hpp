// What the torques are not linear in: how fast the friction of a robot's joints falls with speed, how far their
// contacts bend before they slide, and the load that some friction grows with; from records of the robot's motion.
//   decay and reach   by Gauss and Newton, with the columns Fd and Fr of torque_columns.hpp, from the best of a few
//                     starts, among them that of the study
//   load              by a fixed point: the torque of the bodies that the fit before has found
#pragma once

#include <vector>

#include "tauhat/offline/robot/robot_identification.hpp"

namespace tauhat {

// A decay or a reach of one joint.
struct FoundShape {
  enum class Verdict {
    found,
    none,           // nothing falls, or bends, that is larger than its own uncertainty
    at_lower_edge,  // a decay not told from viscous friction; a reach not told from a jump of the sign
    at_upper_edge,  // a decay within the width over which the sign changes; a reach as long as the motion
    not_settled     // the search did not come to an end
  };
  Verdict verdict = Verdict::none;
  double value = 0.0, std = 0.0;  // s/rad (s/m), or rad (m), where it was found
};

struct ShapedFriction {
  // The robot with what was found, linearised about it; of a joint whose fall was not found the decay is zero, and of
  // one whose bending was not found the reach: its friction has neither.
  RobotSpec robot;
  std::vector<FoundShape> falls;  // decays; empty where the robot's law does not fall
  std::vector<FoundShape> bends;  // reaches; empty where it has no memory

  // The same without the columns Fd and Fr: the model that these decays and reaches make.
  RobotSpec model() const;
};

ShapedFriction fit_friction_shape(const RobotSpec& robot, const std::vector<RobotRecord>& records);

}  // namespace tauhat
