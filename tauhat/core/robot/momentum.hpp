// The generalised momentum p = M v, and what changes it besides torques (De Luca and Mattone 2005): an observer of
// external torques needs no acceleration.
//   p' = tau + C^T v - g + J^T f
//   p_i = b_i . h_i,   (C^T v)_i = b_i' . h_i,   h_i the momentum of all links behind joint i
#pragma once

#include "tauhat/core/robot/inverse_dynamics.hpp"

namespace tauhat {

template <class T, int Joints>
struct GeneralisedMomentum {
  JointVector<T, Joints> momentum;  // M v
  JointVector<T, Joints> drift;     // C^T v - g
};

template <class T>
inline Wrench<T> link_momentum(const LinkInertia<T>& link, const Matrix<T, 3>& rotation, const Vector<T, 3>& origin,
                               const Twist<T>& velocity) noexcept {
  const Vector<T, 3> v_o = velocity.at(origin), g = rotation * link.first_moment;
  const Vector<T, 3> p = link.mass * v_o + velocity.angular.cross(g);
  const Vector<T, 3> w_r = rotation.transpose() * velocity.angular;
  return {p, rotation * (link.moment * w_r) + g.cross(v_o) + origin.cross(p)};
}

template <class T, int Joints>
inline GeneralisedMomentum<T, Joints> generalised_momentum(const Robot<T, Joints>& robot,
                                                           const JointVector<T, Joints>& position,
                                                           const JointVector<T, Joints>& velocity) noexcept {
  const auto pose = pose_of(robot, position);
  const auto motion = bias_motion(robot, pose, velocity);
  LinkArray<Wrench<T>, Joints> behind;
  for (int i = 0; i < robot.joints(); ++i) {
    behind[i] = link_momentum(robot.link(i), pose.rotation[i], pose.origin[i], motion.velocity[i]);
  }
  accumulate(robot, behind);
  GeneralisedMomentum<T, Joints> result{actuator_torque(robot, velocity), -gravity_torque(robot, pose)};
  for (int i = 0; i < robot.joints(); ++i) {
    result.momentum[i] += dot(pose.screw[i], behind[i]);
    result.drift[i] += dot(motion.screw_rate[i], behind[i]);
  }
  return result;
}

}  // namespace tauhat
