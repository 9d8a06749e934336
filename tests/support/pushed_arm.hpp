// An arm that somebody pushes: the TX40 in a pose that is not singular, and what its sensors are good for.
#pragma once

#include "tauhat/core/robot/force_model.hpp"
#include "tauhat/offline/reproduce/tx40.hpp"

namespace tauhat {

using Arm = pyrhonen::Arm;

inline Arm::Vector bent_pose() { return (Arm::Vector() << 0.2, 0.3, 1.4, 0.3, 1.0, 0.4).finished(); }

inline JointFriction<double, 6> arm_friction() {
  JointFriction<double, 6> friction;
  for (int i = 0; i < 6; ++i) {
    friction.viscous[i] = pyrhonen::kTable[static_cast<std::size_t>(i)].viscous;
    friction.coulomb[i] = pyrhonen::kTable[static_cast<std::size_t>(i)].coulomb;
  }
  return friction;
}

inline ForceNoise<double, 6> arm_noise() {
  ForceNoise<double, 6> noise(6);
  noise.position.setConstant(1.745e-5);
  noise.torque.setConstant(0.05);
  return noise;
}

inline ExternalWrench<double> push_at_flange(const Arm& arm, const Vector<double, 3>& force) {
  return {*arm.find_frame("flange"), {force, Vector<double, 3>::Zero()}, WrenchAxes::world};
}

// Torques under which the arm keeps these velocities against a push.
inline Arm::Vector torque_against(const Arm& arm, const JointFriction<double, 6>& friction, const Arm::Vector& position,
                                  const Arm::Vector& velocity, const ExternalWrench<double>& push) {
  return inverse_dynamics(arm, position, velocity, Arm::Vector(Arm::Vector::Zero()), push) + friction.torque(velocity);
}

}  // namespace tauhat
