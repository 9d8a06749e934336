// Accelerations from torques, semi-recursively (Cuadrado et al. 2009; Pyrhonen et al., eq. 2):
//   M a = tau - c + J^T f,   c_i = b_i . sum over the links behind i of (I_k D_k + Z_k x* I_k Z_k)
// D_k is what the links' accelerations are with a = 0, weight included. Friction is the caller's: it is part of tau.
#pragma once

#include "tauhat/core/robot/mass_matrix.hpp"

namespace tauhat {

template <class T, int Joints>
struct ForwardDynamics {
  JointVector<T, Joints> acceleration;
  MassFactor<T, Joints> mass;  // is_positive(): otherwise there is no acceleration
};

template <class T, int Joints>
inline ForwardDynamics<T, Joints> forward_dynamics_at(const Robot<T, Joints>& robot, const Pose<T, Joints>& pose,
                                                      const JointVector<T, Joints>& velocity,
                                                      const JointVector<T, Joints>& torque) noexcept {
  const CompositeInertia<T, Joints> inertia(robot, pose);
  const CompositeForce<T, Joints> force(robot, inertia, bias_motion(robot, pose, velocity));
  const MassFactor<T, Joints> mass(inertia.mass_matrix(robot));
  return {mass.solve(JointVector<T, Joints>(torque - force.torque(robot, pose))), mass};
}

template <class T, int Joints>
inline ForwardDynamics<T, Joints> forward_dynamics(const Robot<T, Joints>& robot,
                                                   const JointVector<T, Joints>& position,
                                                   const JointVector<T, Joints>& velocity,
                                                   const JointVector<T, Joints>& torque) noexcept {
  return forward_dynamics_at(robot, pose_of(robot, position), velocity, torque);
}

template <class T, int Joints>
inline ForwardDynamics<T, Joints> forward_dynamics(const Robot<T, Joints>& robot,
                                                   const JointVector<T, Joints>& position,
                                                   const JointVector<T, Joints>& velocity,
                                                   const JointVector<T, Joints>& torque,
                                                   const ExternalWrench<T>& external) noexcept {
  const auto pose = pose_of(robot, position);
  const JointVector<T, Joints> acting = torque + external_torque(robot, pose, external);
  return forward_dynamics_at(robot, pose, velocity, acting);
}

}  // namespace tauhat
