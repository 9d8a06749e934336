// Where every link is, and how it moves (Cuadrado et al. 2009; spatial form of the accelerations):
//   b_i = [r_i x u_i; u_i] revolute, [u_i; 0] prismatic     Z_i = Z_p + b_i v_i      p: the parent of i
//   b_i' = Z_p x b_i                                        A_i = A_p + b_i a_i + b_i' v_i
// Weight is an acceleration of the base: A_base = [-gravity; 0].
#pragma once

#include "tauhat/core/math/sine_cosine.hpp"
#include "tauhat/core/robot/robot.hpp"

namespace tauhat {

template <class T, int Joints>
struct Pose {
  LinkArray<Matrix<T, 3>, Joints> rotation;  // the link's axes in world axes
  LinkArray<Vector<T, 3>, Joints> origin;
  LinkArray<Twist<T>, Joints> screw;  // b_i: twist of the links behind joint i for each unit of its velocity
};

template <class T, int Joints>
struct Motion {
  LinkArray<Twist<T>, Joints> velocity, screw_rate, acceleration;
};

template <class T>
Twist<T> base_acceleration(const Vector<T, 3>& gravity) {
  return {-gravity, Vector<T, 3>::Zero()};
}

template <class T, int Joints>
inline Pose<T, Joints> pose_of(const Robot<T, Joints>& robot, const JointVector<T, Joints>& position) noexcept {
  Pose<T, Joints> pose;
  const auto angle = sine_cosine(position);
  for (int i = 0; i < robot.joints(); ++i) {
    const Joint<T>& joint = robot.joint(i);
    const Placement<T> in_parent = joint.placement_at(position[i], angle.sine[i], angle.cosine[i]);
    if (joint.parent() == kBase) {
      pose.rotation[i] = in_parent.rotation;
      pose.origin[i] = in_parent.translation;
    } else {
      const Matrix<T, 3>& rotation = pose.rotation[joint.parent()];
      pose.rotation[i].noalias() = rotation * in_parent.rotation;
      pose.origin[i] = pose.origin[joint.parent()] + rotation * in_parent.translation;
    }
    const Vector<T, 3> axis = pose.rotation[i] * joint.axis();
    pose.screw[i] =
        joint.is_revolute() ? Twist<T>{pose.origin[i].cross(axis), axis} : Twist<T>{axis, Vector<T, 3>::Zero()};
  }
  return pose;
}

// Velocities, and accelerations with gravity in them.
template <class T, int Joints>
inline Motion<T, Joints> motion_of(const Robot<T, Joints>& robot, const Pose<T, Joints>& pose,
                                   const JointVector<T, Joints>& velocity,
                                   const JointVector<T, Joints>& acceleration) noexcept {
  Motion<T, Joints> motion;
  const Twist<T> base = base_acceleration(robot.gravity);
  for (int i = 0; i < robot.joints(); ++i) {
    const Twist<T>& b = pose.screw[i];
    const int p = robot.parent(i);
    if (p == kBase) {
      motion.screw_rate[i] = Twist<T>::zero();
      motion.velocity[i] = b * velocity[i];
      motion.acceleration[i] = base + b * acceleration[i];
    } else {
      motion.screw_rate[i] = cross(motion.velocity[p], b);
      motion.velocity[i] = motion.velocity[p] + b * velocity[i];
      motion.acceleration[i] = motion.acceleration[p] + b * acceleration[i] + motion.screw_rate[i] * velocity[i];
    }
  }
  return motion;
}

// The same in uniform motion: the accelerations that are left without the joints'.
template <class T, int Joints>
inline Motion<T, Joints> bias_motion(const Robot<T, Joints>& robot, const Pose<T, Joints>& pose,
                                     const JointVector<T, Joints>& velocity) noexcept {
  const JointVector<T, Joints> none = JointVector<T, Joints>::Zero(robot.joints());
  return motion_of(robot, pose, velocity, none);
}

// Sums over the links behind each joint, in place: sum_i = item_i + all of its descendants'.
template <class T, int Joints, class Item>
inline void accumulate(const Robot<T, Joints>& robot, LinkArray<Item, Joints>& items) noexcept {
  for (int i = robot.joints() - 1; i > 0; --i) {
    if (robot.parent(i) != kBase) items[robot.parent(i)] += items[i];
  }
}

}  // namespace tauhat
