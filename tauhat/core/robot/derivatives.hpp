// Derivatives of torques and of accelerations by positions, velocities, torques and an external wrench, in closed form
// (Singh, Russell and Wensing 2022, about one origin). With b_j' = Z_p x b_j and b_j'' = A_p x b_j + Z_p x b_j', p the
// parent of j, and sums I, 2 B, F over the links behind max(i, j):
//   d tau_i / d q_j = b_i . (I b_j'' + 2 B b_j' + [b_j x* F where i comes before j])
//   d tau_i / d v_j = b_i . (2 I b_j' + 2 B b_j)           half of it is the Coriolis matrix of Christoffel's symbols
// From M(q) a = tau - c(q, v) + J^T f follows  da = M^-1 (dtau - d(inverse dynamics at a) + d(J^T f)).
#pragma once

#include "tauhat/core/robot/forward_dynamics.hpp"
#include "tauhat/core/robot/inverse_dynamics.hpp"
#include "tauhat/core/robot/velocity_product.hpp"

namespace tauhat {

template <class T, int Joints>
struct InverseDerivatives {
  JointVector<T, Joints> torque;
  JointMatrix<T, Joints> by_position, by_velocity, by_acceleration;  // the last is the mass matrix
};

template <class T, int Joints>
struct ForwardDerivatives {
  JointVector<T, Joints> acceleration;
  JointMatrix<T, Joints> by_position, by_velocity, by_torque;  // the last is M^-1
  JointRows<T, Joints, 6> by_wrench;                           // force, moment, in the wrench's axes
  bool mass_is_positive;                                       // otherwise the rest means nothing
};

// Joints that accelerate by so much more.
template <class T, int Joints>
inline void accelerate(const Robot<T, Joints>& robot, const CompositeInertia<T, Joints>& inertia,
                       const Pose<T, Joints>& pose, const JointVector<T, Joints>& acceleration,
                       Motion<T, Joints>& motion, CompositeForce<T, Joints>& force) noexcept {
  LinkArray<Twist<T>, Joints> more;
  for (int i = 0; i < robot.joints(); ++i) {
    more[i] = pose.screw[i] * acceleration[i];
    if (robot.parent(i) != kBase) more[i] += more[robot.parent(i)];
    motion.acceleration[i] += more[i];
  }
  const Grouped<Twist, T, Joints> grouped(more, robot.joints());
  Grouped<Wrench, T, Joints> inertial;
  for (int g = 0; g < inertial.kGroups; ++g) inertial[g] = inertia.link[g] * grouped[g];
  const auto behind = inertial.sums(robot.paths(), robot.joints());
  for (int g = 0; g < behind.kGroups; ++g) force.wrench[g] += behind[g];
}

// d tau / d q and d tau / d v of a robot in this motion.
template <class T, int Joints>
inline void differentiate_torque(const Robot<T, Joints>& robot, const CompositeInertia<T, Joints>& inertia,
                                 const CompositeForce<T, Joints>& force, const Motion<T, Joints>& motion,
                                 JointMatrix<T, Joints>& by_position, JointMatrix<T, Joints>& by_velocity) noexcept {
  Grouped<VelocityProduct, T, Joints> link;
  for (int g = 0; g < link.kGroups; ++g) {
    link[g] = VelocityProduct<Lanes<T>>(inertia.link[g], force.velocity[g], force.momentum[g]);
  }
  const auto product = link.sums(robot.paths(), robot.joints());

  LinkArray<Twist<T>, Joints> parent_velocity, parent_acceleration;
  for (int i = 0; i < robot.joints(); ++i) {
    const int p = robot.parent(i);
    parent_velocity[i] = p == kBase ? Twist<T>::zero() : motion.velocity[p];
    parent_acceleration[i] = p == kBase ? base_acceleration(robot.gravity) : motion.acceleration[p];
  }
  const Grouped<Twist, T, Joints> carrier_velocity(parent_velocity, robot.joints()),
      carrier_acceleration(parent_acceleration, robot.joints()), rate(motion.screw_rate, robot.joints());
  Grouped<Twist, T, Joints> second_rate;
  // A joint's column in the rows of the joints before it, and its row in their columns and its own: both are products
  // with the sums behind it.
  Grouped<Wrench, T, Joints> moved, sped;
  Grouped<Vector3, T, Joints> row;
  for (int g = 0; g < rate.kGroups; ++g) {
    const Twist<Lanes<T>>& b = inertia.screw[g];
    second_rate[g] = cross(carrier_acceleration[g], b) + cross(carrier_velocity[g], rate[g]);
    moved[g] = inertia.behind[g] * second_rate[g] + product[g] * rate[g] + cross(b, force.wrench[g]);
    sped[g] = inertia.behind[g] * (rate[g] + rate[g]) + product[g] * b;
    row[g] = product[g].transposed(b);
  }
  by_position.setZero(robot.joints(), robot.joints());
  by_velocity.setZero(robot.joints(), robot.joints());
  for (int j = 0; j < robot.joints(); ++j) {
    const Wrench<T> momentum = inertia.screw_momentum.of(j);
    const Vector<T, 3> turned = row.of(j);
    const auto position_column = dot(inertia.screw, moved.of(j)), velocity_column = dot(inertia.screw, sped.of(j));
    const auto position_row = dot(second_rate, momentum, rate, turned);
    const auto velocity_row = dot(rate, momentum * T(2), inertia.screw, turned);
    by_position(j, j) = position_row[j];
    by_velocity(j, j) = velocity_row[j];
    for (int i = robot.parent(j); i != kBase; i = robot.parent(i)) {
      by_position(i, j) = position_column[i];
      by_velocity(i, j) = velocity_column[i];
      by_position(j, i) = position_row[i];
      by_velocity(j, i) = velocity_row[i];
    }
  }
}

// By the parameters: torque_regressor() of regressor.hpp.
template <class T, int Joints>
inline InverseDerivatives<T, Joints> inverse_derivatives(const Robot<T, Joints>& robot,
                                                         const JointVector<T, Joints>& position,
                                                         const JointVector<T, Joints>& velocity,
                                                         const JointVector<T, Joints>& acceleration) noexcept {
  const auto pose = pose_of(robot, position);
  const auto motion = motion_of(robot, pose, velocity, acceleration);
  const CompositeInertia<T, Joints> inertia(robot, pose);
  const CompositeForce<T, Joints> force(robot, inertia, motion);
  InverseDerivatives<T, Joints> result;
  result.torque = force.torque(robot, pose) + actuator_torque(robot, acceleration);
  result.by_acceleration = inertia.mass_matrix(robot);
  differentiate_torque(robot, inertia, force, motion, result.by_position, result.by_velocity);
  return result;
}

// By the parameters: forward_by_parameters() of regressor.hpp.
template <class T, int Joints>
inline ForwardDerivatives<T, Joints> forward_derivatives(const Robot<T, Joints>& robot,
                                                         const JointVector<T, Joints>& position,
                                                         const JointVector<T, Joints>& velocity,
                                                         const JointVector<T, Joints>& torque,
                                                         const ExternalWrench<T>& external) noexcept {
  const auto pose = pose_of(robot, position);
  auto motion = bias_motion(robot, pose, velocity);
  const CompositeInertia<T, Joints> inertia(robot, pose);
  CompositeForce<T, Joints> force(robot, inertia, motion);
  const MassFactor<T, Joints> mass(inertia.mass_matrix(robot));
  const auto jacobian = frame_jacobian(robot, pose, external.frame);
  const Wrench<T> f = in_world_axes(pose, external);
  JointVector<T, Joints> acting = torque - force.torque(robot, pose);
  for (int i = 0; i < robot.joints(); ++i) {
    acting[i] += jacobian.col(i).template head<3>().dot(f.force) + jacobian.col(i).template tail<3>().dot(f.moment);
  }

  ForwardDerivatives<T, Joints> result;
  result.mass_is_positive = mass.is_positive();
  result.by_torque = mass.inverse();
  result.acceleration = mass.solve(acting);
  accelerate(robot, inertia, pose, result.acceleration, motion, force);
  JointMatrix<T, Joints> by_position, by_velocity;
  differentiate_torque(robot, inertia, force, motion, by_position, by_velocity);
  by_position -= external_torque_by_position(robot, jacobian, external.frame.link, f, external.axes);
  result.by_position = -result.by_torque.lazyProduct(by_position);
  result.by_velocity = -result.by_torque.lazyProduct(by_velocity);
  result.by_wrench = result.by_torque.lazyProduct(jacobian.transpose());
  if (external.axes == WrenchAxes::frame) {
    const Matrix<T, 3> axes = frame_placement(pose, external.frame).rotation;
    const JointRows<T, Joints, 6> in_world = result.by_wrench;
    result.by_wrench.template leftCols<3>() = in_world.template leftCols<3>().lazyProduct(axes);
    result.by_wrench.template rightCols<3>() = in_world.template rightCols<3>().lazyProduct(axes);
  }
  return result;
}

}  // namespace tauhat
