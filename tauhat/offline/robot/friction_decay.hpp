// How fast the friction of a robot's joints falls with speed, from records of its motion. The torques are not linear in
// the decay: it is found by Gauss and Newton, with the columns Fe and Fd of torque_columns.hpp, from the best of a few
// starts, among them that of the study.
#pragma once

#include <vector>

#include "tauhat/offline/robot/robot_identification.hpp"

namespace tauhat {

// Of one joint.
struct FrictionFall {
  enum class Verdict {
    found,
    none,        // nothing falls that is larger than its own uncertainty
    too_slow,    // as slowly as the fastest speed: not told from viscous friction
    too_fast,    // within the width over which the sign changes
    not_settled  // the search did not come to an end
  };
  Verdict verdict = Verdict::none;
  double decay = 0.0, std = 0.0;  // s/rad (s/m), where it was found
};

struct FallingFriction {
  // The robot with those decays, linearised about them; of a joint whose fall was not found the decay is zero, and its
  // friction Coulomb's.
  RobotSpec robot;
  std::vector<FrictionFall> joints;  // empty where the robot's law does not fall

  // The same without the columns Fd: the model that these decays make.
  RobotSpec model() const;
};

FallingFriction fit_falling_friction(const RobotSpec& robot, const std::vector<RobotRecord>& records);

}  // namespace tauhat
