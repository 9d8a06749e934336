// How a study measures a robot's joints: at them or at their motors, and how well.
#pragma once

#include "tauhat/offline/robot/measured_side.hpp"
#include "tauhat/offline/study/study.hpp"

namespace tauhat {

struct JointSensors {
  JointMap positions, torques;               // the joints' by what is measured
  JointMap velocities;                       // the same, empty where they are not measured
  JointValues position_noise, torque_noise;  // at the joints
  JointValues velocity_noise;
  JointMap torque_gain_std;  // N m of the joints for each measured N m; empty where the gains are exact
};

// Of a force_study().
JointSensors sensors_of(const Study& study);

}  // namespace tauhat
