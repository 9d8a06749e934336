// Friction of a robot's actuators that grows with the torque which their gears pass on (friction/load_dependent.hpp):
//   tau_f = unloaded + load_coefficient |load| tanh(w / width),   load = tau - tau_f
// tau is the motors' torque, and the load all that friction leaves of it: what bodies, rotors and the environment take.
// With x = tau - unloaded and c = load_coefficient tanh(w / width) sign(x), |c| < 1, the second line gives the load:
//   load = x / (1 + c)
// A coupling of the actuators is not offered with it: studies that ask for both are refused.
#pragma once

#include "tauhat/core/friction/load_dependent.hpp"
#include "tauhat/core/robot/friction_memory.hpp"

namespace tauhat {

// The law of what the load adds, alone.
template <class T, int Joints>
LoadDependentCoulomb<T> mesh_friction(const JointFriction<T, Joints>& friction, int i) noexcept {
  return {.law = {.coulomb = T(0), .viscous = T(0), .width = friction.width}, .load_coefficient = friction.load[i]};
}

// What friction takes where the load is known.
template <class T, int Joints>
void add_friction_of_load(const JointFriction<T, Joints>& friction, const JointVector<T, Joints>& velocity,
                          const JointVector<T, Joints>& load,
                          TorqueAndSlope<JointVector<T, Joints>>& unloaded) noexcept {
  for (int i = 0; i < friction.joints(); ++i) {
    if (friction.load[i] == T(0)) continue;
    const TorqueUnderLoad<T> mesh = mesh_friction(friction, i).torque_and_slope(velocity[i], load[i]);
    unloaded.torque[i] += mesh.torque;
    unloaded.slope[i] += mesh.slope;
  }
}

// Of each actuator while the motors exert `motor`, at the output side.
template <class T, int Joints>
TorqueAndSlope<JointVector<T, Joints>> torque_and_slope(const JointFriction<T, Joints>& friction,
                                                        const JointVector<T, Joints>& velocity,
                                                        const FrictionMemory<T, Joints>& memory,
                                                        const JointVector<T, Joints>& motor) noexcept {
  auto all = torque_and_slope(friction, velocity, memory);
  JointVector<T, Joints> load = motor - all.torque;
  for (int i = 0; i < friction.joints(); ++i) {
    if (friction.load[i] == T(0)) continue;
    const T side = load[i] < T(0) ? T(-1) : T(1);
    load[i] /= T(1) + friction.load[i] * side * smooth_sign(velocity[i], friction.width).value;
  }
  add_friction_of_load(friction, velocity, load, all);
  return all;
}

// What friction takes from the joints while the motors' torque, seen there, is `motor`.
template <class T, int Joints>
JointVector<T, Joints> friction_torque(const Transmission<T, Joints>& transmission,
                                       const JointFriction<T, Joints>& friction, const JointVector<T, Joints>& velocity,
                                       const FrictionMemory<T, Joints>& memory,
                                       const JointVector<T, Joints>& motor) noexcept {
  return transmission.joint_torque(
      torque_and_slope(friction, transmission.actuator_motion(velocity), memory, motor).torque);
}

// What the motors have to add to the load so that the joints move as they should, without a memory of how they did.
template <class T, int Joints>
JointVector<T, Joints> friction_of_load(const Transmission<T, Joints>& transmission,
                                        const JointFriction<T, Joints>& friction,
                                        const JointVector<T, Joints>& velocity,
                                        const JointVector<T, Joints>& load) noexcept {
  const JointVector<T, Joints> actuator = transmission.actuator_motion(velocity);
  auto all = friction.torque_and_slope(actuator);
  add_friction_of_load(friction, actuator, load, all);
  return transmission.joint_torque(all.torque);
}

}  // namespace tauhat
