// Accelerations from torques, semi-recursively (Cuadrado et al. 2009; Pyrhonen et al., eq. 2):
//   M a = tau - c + J^T f,   c_i = b_i . sum over the links behind i of (I_k D_k + Z_k x* I_k Z_k)
// D_k is what the links' accelerations are with a = 0, weight included. Friction is the caller's: it is part of tau.
#pragma once

#include "tauhat/core/robot/frame_motion.hpp"
#include "tauhat/core/robot/mass_matrix.hpp"

namespace tauhat {

// F_k = I_k A_k + Z_k x* I_k Z_k: what moves a link.
template <class T>
inline Wrench<T> inertial_wrench(const SpatialInertia<T>& inertia, const Twist<T>& velocity,
                                 const Twist<T>& acceleration) noexcept {
  return inertia * acceleration + cross(velocity, inertia * velocity);
}

template <class T, int Joints>
struct ForwardDynamics {
  JointVector<T, Joints> acceleration;
  MassFactor<T, Joints> mass;  // is_positive(): otherwise there is no acceleration
};

template <class T, int Joints>
inline ForwardDynamics<T, Joints> forward_dynamics_at(const Robot<T, Joints>& robot, const Pose<T, Joints>& pose,
                                                      const JointVector<T, Joints>& velocity,
                                                      JointVector<T, Joints> torque) noexcept {
  const auto motion =
      motion_of(robot, pose, velocity, JointVector<T, Joints>(JointVector<T, Joints>::Zero(robot.joints())));
  auto inertia = world_inertias(robot, pose);
  LinkArray<Wrench<T>, Joints> wrench;
  for (int i = 0; i < robot.joints(); ++i) {
    wrench[i] = inertial_wrench(inertia[i], motion.velocity[i], motion.acceleration[i]);
  }
  accumulate(robot, wrench);
  accumulate(robot, inertia);
  for (int i = 0; i < robot.joints(); ++i) torque[i] -= dot(pose.screw[i], wrench[i]);
  const MassFactor<T, Joints> mass(mass_matrix_of(robot, pose, screw_momenta(robot, pose, inertia)));
  return {mass.solve(torque), mass};
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
  return forward_dynamics_at(robot, pose, velocity,
                             JointVector<T, Joints>(torque + external_torque(robot, pose, external)));
}

}  // namespace tauhat
