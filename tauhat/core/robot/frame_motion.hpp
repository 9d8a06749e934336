// Where a named frame is, how it moves with the joints, and what a force there does to them.
#pragma once

#include "tauhat/core/robot/motion.hpp"

namespace tauhat {

template <class T, int Joints>
inline Placement<T> frame_placement(const Pose<T, Joints>& pose, const Frame<T>& frame) noexcept {
  if (frame.link == kBase) return frame.placement;
  return Placement<T>{pose.rotation[frame.link], pose.origin[frame.link]} * frame.placement;
}

// Rows: velocity of the frame's origin, angular velocity, both in world axes. Columns: the joints.
template <class T, int Joints>
using FrameJacobian = JointColumns<T, 6, Joints>;

template <class T, int Joints>
inline FrameJacobian<T, Joints> frame_jacobian(const Robot<T, Joints>& robot, const Pose<T, Joints>& pose,
                                               const Frame<T>& frame) noexcept {
  FrameJacobian<T, Joints> jacobian = FrameJacobian<T, Joints>::Zero(6, robot.joints());
  const Vector<T, 3> point = frame_placement(pose, frame).translation;
  for (int i = frame.link; i != kBase; i = robot.parent(i)) {
    jacobian.col(i).template head<3>() = pose.screw[i].at(point);
    jacobian.col(i).template tail<3>() = pose.screw[i].angular;
  }
  return jacobian;
}

// Force and moment of the environment in world axes, about the frame's origin.
template <class T, int Joints>
inline Wrench<T> in_world_axes(const Pose<T, Joints>& pose, const ExternalWrench<T>& external) noexcept {
  if (external.axes == WrenchAxes::world) return external.wrench;
  const Matrix<T, 3> axes = frame_placement(pose, external.frame).rotation;
  return {axes * external.wrench.force, axes * external.wrench.moment};
}

// J^T f
template <class T, int Joints>
inline JointVector<T, Joints> external_torque(const Robot<T, Joints>& robot, const Pose<T, Joints>& pose,
                                              const ExternalWrench<T>& external) noexcept {
  JointVector<T, Joints> torque = JointVector<T, Joints>::Zero(robot.joints());
  const Vector<T, 3> point = frame_placement(pose, external.frame).translation;
  const Wrench<T> f = in_world_axes(pose, external);
  const Wrench<T> about_origin{f.force, f.moment + point.cross(f.force)};
  for (int i = external.frame.link; i != kBase; i = robot.parent(i)) torque[i] = dot(pose.screw[i], about_origin);
  return torque;
}

// How J^T f changes with the joints' positions while the force stays what it is in its axes; f about the frame's origin
// P, in world axes, J the frame's Jacobian with the columns [s_i; u_i].
//   in world axes   f . d s_i/dq_j + n . d u_i/dq_j:    j before i   u_j . (s_i x f + u_i x n)
//                                                       i before j   u_i . (s_j x f)
//   in the frame's  what moves with all joints changes nothing;      i before j   s_i . (u_j x f) + u_i . (u_j x n +
//   s_j x f)
template <class T, int Joints>
inline JointMatrix<T, Joints> external_torque_by_position(const Robot<T, Joints>& robot,
                                                          const FrameJacobian<T, Joints>& jacobian, int link,
                                                          const Wrench<T>& f, WrenchAxes axes) noexcept {
  JointMatrix<T, Joints> by_position = JointMatrix<T, Joints>::Zero(robot.joints(), robot.joints());
  for (int j = link; j != kBase; j = robot.parent(j)) {
    const Vector<T, 3> s = jacobian.col(j).template head<3>(), u = jacobian.col(j).template tail<3>();
    const Vector<T, 3> turned = s.cross(f.force);
    if (axes == WrenchAxes::world) {
      const Vector<T, 3> with_moment = turned + u.cross(f.moment);
      by_position(j, j) = u.dot(turned);
      for (int i = robot.parent(j); i != kBase; i = robot.parent(i)) {
        const Vector<T, 3> u_i = jacobian.col(i).template tail<3>();
        by_position(i, j) = u_i.dot(turned);
        by_position(j, i) = u_i.dot(with_moment);
      }
    } else {
      const Vector<T, 3> force = u.cross(f.force), moment = turned + u.cross(f.moment);
      for (int i = robot.parent(j); i != kBase; i = robot.parent(i)) {
        by_position(i, j) =
            jacobian.col(i).template head<3>().dot(force) + jacobian.col(i).template tail<3>().dot(moment);
      }
    }
  }
  return by_position;
}

}  // namespace tauhat
