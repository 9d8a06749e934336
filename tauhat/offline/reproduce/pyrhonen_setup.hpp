// The arm as it is, and as somebody believes it to be who has only its maker's data.
#pragma once

#include <cstdint>

#include "tauhat/core/robot/joint_friction.hpp"
#include "tauhat/offline/reproduce/tx40.hpp"

namespace tauhat::pyrhonen {

struct ArmModel {
  Arm arm;
  JointFriction<double, kJoints> friction;
};

ArmModel true_model();
// Every inertia, actuator and friction up to some 20 % wrong, and still that of an arm that can exist.
ArmModel nominal_model(std::uint64_t seed);

}  // namespace tauhat::pyrhonen
