// The torque is linear in the standard parameters (Khalil and Dombre 2002, ch. 9):  tau = Y(q, v, a) phi.
// Of each link [f; n] = W phi_link about the world's origin, in world axes, with o its origin, a_o the acceleration
// there, R its axes, and L(x) the 3 x 6 matrix with J x = L(x) [Jxx Jxy Jxz Jyy Jyz Jzz]:
//   f = a_o m + (w'~ + w~ w~) R mc
//   n = R L(R^T w') + w~ R L(R^T w) - a_o~ R mc + o x f
// and tau_i = b_i . W_k phi_k for all joints i before link k. Rows are contiguous: identification streams them.
#pragma once

#include "tauhat/core/robot/forward_dynamics.hpp"
#include "tauhat/core/robot/inverse_dynamics.hpp"

namespace tauhat {

template <class T, int Joints>
using Regressor = Eigen::Matrix<T, Joints, times_joints<Joints>(kInertialParameters + 1), Eigen::RowMajor,
                                kJointBound<Joints>, (kInertialParameters + 1) * kJointBound<Joints>>;

// W of one link: rows f, n; columns Ixx Ixy Ixz Iyy Iyz Izz mX mY mZ m. Row-major, since rows are summed.
template <class T>
using LinkRegressor = Eigen::Matrix<T, 6, kInertialParameters, Eigen::RowMajor>;

// R L(x): what the six moments make of x, turned into world axes.
template <class T>
inline Matrix<T, 3, 6> moment_columns(const Matrix<T, 3>& rotation, const Vector<T, 3>& x) noexcept {
  Matrix<T, 3, 6> columns;
  columns.col(LinkInertia<T>::xx) = rotation.col(0) * x[0];
  columns.col(LinkInertia<T>::xy) = rotation.col(0) * x[1] + rotation.col(1) * x[0];
  columns.col(LinkInertia<T>::xz) = rotation.col(0) * x[2] + rotation.col(2) * x[0];
  columns.col(LinkInertia<T>::yy) = rotation.col(1) * x[1];
  columns.col(LinkInertia<T>::yz) = rotation.col(1) * x[2] + rotation.col(2) * x[1];
  columns.col(LinkInertia<T>::zz) = rotation.col(2) * x[2];
  return columns;
}

template <class T>
inline LinkRegressor<T> link_regressor(const Matrix<T, 3>& rotation, const Vector<T, 3>& origin,
                                       const Twist<T>& velocity, const Twist<T>& acceleration) noexcept {
  const Vector<T, 3>&w = velocity.angular, &dw = acceleration.angular;
  const Vector<T, 3> a_o = acceleration.at(origin) + w.cross(velocity.at(origin));
  const Matrix<T, 3, 6> by_acceleration = moment_columns<T>(rotation, rotation.transpose() * dw);
  const Matrix<T, 3, 6> by_velocity = moment_columns<T>(rotation, rotation.transpose() * w);
  LinkRegressor<T> result;
  result.template topLeftCorner<3, 6>().setZero();
  for (int c = 0; c < 6; ++c) {
    result.col(c).template tail<3>() = by_acceleration.col(c) + w.cross(by_velocity.col(c));
  }
  for (int c = 0; c < 3; ++c) {
    const Vector<T, 3> axis = rotation.col(c);
    const Vector<T, 3> f = dw.cross(axis) + w.cross(w.cross(axis));
    result.col(LinkInertia<T>::first_x + c).template head<3>() = f;
    result.col(LinkInertia<T>::first_x + c).template tail<3>() = axis.cross(a_o) + origin.cross(f);
  }
  result.col(LinkInertia<T>::mass_parameter).template head<3>() = a_o;
  result.col(LinkInertia<T>::mass_parameter).template tail<3>() = origin.cross(a_o);
  return result;
}

template <class T, int Joints>
inline Regressor<T, Joints> torque_regressor(const Robot<T, Joints>& robot, const JointVector<T, Joints>& position,
                                             const JointVector<T, Joints>& velocity,
                                             const JointVector<T, Joints>& acceleration) noexcept {
  const int n = robot.joints();
  const auto pose = pose_of(robot, position);
  const auto motion = motion_of(robot, pose, velocity, acceleration);
  Regressor<T, Joints> y = Regressor<T, Joints>::Zero(n, robot.parameter_count());
  for (int k = 0; k < n; ++k) {
    const LinkRegressor<T> w =
        link_regressor(pose.rotation[k], pose.origin[k], motion.velocity[k], motion.acceleration[k]);
    for (int i = k; i != kBase; i = robot.parent(i)) {
      const Twist<T>& b = pose.screw[i];
      y.row(i).template segment<kInertialParameters>(kInertialParameters * k) =
          b.linear[0] * w.row(0) + b.linear[1] * w.row(1) + b.linear[2] * w.row(2) + b.angular[0] * w.row(3) +
          b.angular[1] * w.row(4) + b.angular[2] * w.row(5);
    }
  }
  // The actuators' inertias: C^T diag(C a)
  const auto& transmission = robot.transmission();
  const JointVector<T, Joints> actuators = transmission.actuator_motion(acceleration);
  y.rightCols(n) = transmission.coupling().transpose() * actuators.asDiagonal();
  return y;
}

// How the acceleration changes with the parameters while the torque stays:  da / dphi = -M^-1 Y.
template <class T, int Joints>
inline Regressor<T, Joints> forward_by_parameters(const Robot<T, Joints>& robot, const JointVector<T, Joints>& position,
                                                  const JointVector<T, Joints>& velocity,
                                                  const ForwardDynamics<T, Joints>& at) noexcept {
  Regressor<T, Joints> y = torque_regressor(robot, position, velocity, at.acceleration);
  for (int k = 0; k < y.cols(); ++k) y.col(k) = at.mass.solve(JointVector<T, Joints>(-y.col(k)));
  return y;
}

}  // namespace tauhat
