// Torques for a motion, by Newton and Euler (Luh, Walker and Paul 1980), about the world's origin.
//   of each link, with o its origin, a_o the acceleration there, and J, m c in its own axes R:
//     f = m a_o + w' x g + w x (w x g),   g = R m c
//     n = R (J w'_R + w_R x J w_R) + g x a_o,   about o
//   of each joint: tau_i = b_i . sum over the links behind it of [f; n + o x f], and its actuator's C^T Ja C a
#pragma once

#include "tauhat/core/robot/frame_motion.hpp"
#include "tauhat/core/robot/motion.hpp"

namespace tauhat {

template <class T>
inline Wrench<T> inertial_wrench(const LinkInertia<T>& link, const Matrix<T, 3>& rotation, const Vector<T, 3>& origin,
                                 const Twist<T>& velocity, const Twist<T>& acceleration) noexcept {
  const Vector<T, 3>&w = velocity.angular, &dw = acceleration.angular;
  // The spatial acceleration is of whatever passes the origin; the material point has w x its velocity more.
  const Vector<T, 3> a_o = acceleration.at(origin) + w.cross(velocity.at(origin));
  const Vector<T, 3> g = rotation * link.first_moment;
  const Vector<T, 3> f = link.mass * a_o + dw.cross(g) + w.cross(w.cross(g));
  const Vector<T, 3> w_r = rotation.transpose() * w, dw_r = rotation.transpose() * dw;
  const Vector<T, 3> n_r = link.moment * dw_r + w_r.cross(link.moment * w_r);
  return {f, rotation * n_r + g.cross(a_o) + origin.cross(f)};
}

template <class T, int Joints>
inline JointVector<T, Joints> actuator_torque(const Robot<T, Joints>& robot,
                                              const JointVector<T, Joints>& acceleration) noexcept {
  const auto& transmission = robot.transmission();
  return transmission.joint_torque(robot.actuator_inertia().cwiseProduct(transmission.actuator_motion(acceleration)));
}

template <class T, int Joints>
inline JointVector<T, Joints> inverse_dynamics(const Robot<T, Joints>& robot, const JointVector<T, Joints>& position,
                                               const JointVector<T, Joints>& velocity,
                                               const JointVector<T, Joints>& acceleration) noexcept {
  const auto pose = pose_of(robot, position);
  const auto motion = motion_of(robot, pose, velocity, acceleration);
  LinkArray<Wrench<T>, Joints> wrench;
  for (int i = 0; i < robot.joints(); ++i) {
    wrench[i] =
        inertial_wrench(robot.link(i), pose.rotation[i], pose.origin[i], motion.velocity[i], motion.acceleration[i]);
  }
  accumulate(robot, wrench);
  JointVector<T, Joints> torque = actuator_torque(robot, acceleration);
  for (int i = 0; i < robot.joints(); ++i) torque[i] += dot(pose.screw[i], wrench[i]);
  return torque;
}

// With a force of the environment at a frame: it takes J^T f of the joints' work.
template <class T, int Joints>
inline JointVector<T, Joints> inverse_dynamics(const Robot<T, Joints>& robot, const JointVector<T, Joints>& position,
                                               const JointVector<T, Joints>& velocity,
                                               const JointVector<T, Joints>& acceleration,
                                               const ExternalWrench<T>& external) noexcept {
  return inverse_dynamics(robot, position, velocity, acceleration) -
         external_torque(robot, pose_of(robot, position), external);
}

// Coriolis, centrifugal and gravity torques: what a robot needs in uniform motion.
template <class T, int Joints>
inline JointVector<T, Joints> bias_torque(const Robot<T, Joints>& robot, const JointVector<T, Joints>& position,
                                          const JointVector<T, Joints>& velocity) noexcept {
  const JointVector<T, Joints> none = JointVector<T, Joints>::Zero(robot.joints());
  return inverse_dynamics(robot, position, velocity, none);
}

// What holds the robot at rest: g_i = -b_i . [weight of the links behind i at their centre], the gradient of
// potential().
template <class T, int Joints>
inline JointVector<T, Joints> gravity_torque(const Robot<T, Joints>& robot, const Pose<T, Joints>& pose) noexcept {
  struct Mass {
    T mass;
    Vector<T, 3> first_moment;
    Mass& operator+=(const Mass& other) {
      mass += other.mass;
      first_moment += other.first_moment;
      return *this;
    }
  };
  LinkArray<Mass, Joints> behind;
  for (int i = 0; i < robot.joints(); ++i) {
    const LinkInertia<T>& link = robot.link(i);
    behind[i] = {link.mass, pose.rotation[i] * link.first_moment + link.mass * pose.origin[i]};
  }
  accumulate(robot, behind);
  JointVector<T, Joints> torque(robot.joints());
  for (int i = 0; i < robot.joints(); ++i) {
    const Wrench<T> weight{behind[i].mass * robot.gravity, behind[i].first_moment.cross(robot.gravity)};
    torque[i] = -dot(pose.screw[i], weight);
  }
  return torque;
}

template <class T, int Joints>
inline JointVector<T, Joints> gravity_torque(const Robot<T, Joints>& robot,
                                             const JointVector<T, Joints>& position) noexcept {
  return gravity_torque(robot, pose_of(robot, position));
}

// Potential energy, zero at the world's origin.
template <class T, int Joints>
inline T potential_energy(const Robot<T, Joints>& robot, const JointVector<T, Joints>& position) noexcept {
  const auto pose = pose_of(robot, position);
  T energy = T(0);
  for (int i = 0; i < robot.joints(); ++i) {
    const LinkInertia<T>& link = robot.link(i);
    energy -= robot.gravity.dot(pose.rotation[i] * link.first_moment + link.mass * pose.origin[i]);
  }
  return energy;
}

}  // namespace tauhat
