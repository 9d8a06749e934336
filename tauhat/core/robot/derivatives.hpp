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

// A robot in motion with all that its derivatives ask for. `wrench` and what is composite are sums over the links
// behind each joint.
template <class T, int Joints>
struct CompositeMotion {
  Pose<T, Joints> pose;
  Motion<T, Joints> motion;
  LinkArray<SpatialInertia<T>, Joints> link_inertia, inertia;
  LinkArray<VelocityProduct<T>, Joints> product;
  LinkArray<Wrench<T>, Joints> wrench, screw_momentum;

  CompositeMotion(const Robot<T, Joints>& robot, const JointVector<T, Joints>& position,
                  const JointVector<T, Joints>& velocity, const JointVector<T, Joints>& acceleration) noexcept
      : pose(pose_of(robot, position)),
        motion(motion_of(robot, pose, velocity, acceleration)),
        link_inertia(world_inertias(robot, pose)) {
    for (int i = 0; i < robot.joints(); ++i) {
      const Wrench<T> momentum = link_inertia[i] * motion.velocity[i];
      wrench[i] = link_inertia[i] * motion.acceleration[i] + cross(motion.velocity[i], momentum);
      product[i] = VelocityProduct<T>(link_inertia[i], motion.velocity[i], momentum);
    }
    inertia = link_inertia;
    accumulate(robot, inertia);
    accumulate(robot, wrench);
    accumulate(robot, product);
    screw_momentum = screw_momenta(robot, pose, inertia);
  }

  // Joints that accelerate by so much more.
  void accelerate(const Robot<T, Joints>& robot, const JointVector<T, Joints>& acceleration) noexcept {
    LinkArray<Twist<T>, Joints> more;
    LinkArray<Wrench<T>, Joints> inertial;
    for (int i = 0; i < robot.joints(); ++i) {
      more[i] = pose.screw[i] * acceleration[i];
      if (robot.parent(i) != kBase) more[i] += more[robot.parent(i)];
      motion.acceleration[i] += more[i];
      inertial[i] = link_inertia[i] * more[i];
    }
    accumulate(robot, inertial);
    for (int i = 0; i < robot.joints(); ++i) wrench[i] += inertial[i];
  }

  // Without the actuators' share.
  JointVector<T, Joints> torque(const Robot<T, Joints>& robot) const noexcept {
    JointVector<T, Joints> result(robot.joints());
    for (int i = 0; i < robot.joints(); ++i) result[i] = dot(pose.screw[i], wrench[i]);
    return result;
  }

  void differentiate(const Robot<T, Joints>& robot, JointMatrix<T, Joints>& by_position,
                     JointMatrix<T, Joints>& by_velocity) const noexcept {
    by_position.setZero(robot.joints(), robot.joints());
    by_velocity.setZero(robot.joints(), robot.joints());
    const Twist<T> base = base_acceleration(robot.gravity);
    LinkArray<Twist<T>, Joints> second_rate;  // b''
    for (int j = 0; j < robot.joints(); ++j) {
      const int p = robot.parent(j);
      const Twist<T>&b = pose.screw[j], &rate = motion.screw_rate[j];
      second_rate[j] = cross(p == kBase ? base : motion.acceleration[p], b);
      if (p != kBase) second_rate[j] += cross(motion.velocity[p], rate);

      // Rows of the joints before j see the sums behind j, in columns j,
      const Wrench<T> moved = inertia[j] * second_rate[j] + product[j] * rate + cross(b, wrench[j]);
      const Wrench<T> sped = inertia[j] * (rate * T(2)) + product[j] * b;
      // and so does row j, in the columns of these joints and its own.
      const Wrench<T>& momentum = screw_momentum[j];
      const Vector<T, 3> turned = product[j].transposed(b);
      for (int i = p; i != kBase; i = robot.parent(i)) {
        by_position(i, j) = dot(pose.screw[i], moved);
        by_velocity(i, j) = dot(pose.screw[i], sped);
      }
      for (int i = j; i != kBase; i = robot.parent(i)) {
        const Twist<T>& rate_i = motion.screw_rate[i];
        by_position(j, i) = dot(second_rate[i], momentum) + rate_i.angular.dot(turned);
        by_velocity(j, i) = T(2) * dot(rate_i, momentum) + pose.screw[i].angular.dot(turned);
      }
    }
  }
};

// By the parameters: torque_regressor() of regressor.hpp.
template <class T, int Joints>
inline InverseDerivatives<T, Joints> inverse_derivatives(const Robot<T, Joints>& robot,
                                                         const JointVector<T, Joints>& position,
                                                         const JointVector<T, Joints>& velocity,
                                                         const JointVector<T, Joints>& acceleration) noexcept {
  const CompositeMotion<T, Joints> composite(robot, position, velocity, acceleration);
  InverseDerivatives<T, Joints> result;
  result.torque = composite.torque(robot) + actuator_torque(robot, acceleration);
  result.by_acceleration = mass_matrix_of(robot, composite.pose, composite.screw_momentum);
  composite.differentiate(robot, result.by_position, result.by_velocity);
  return result;
}

// By the parameters: -M^-1 torque_regressor() at the acceleration.
template <class T, int Joints>
inline ForwardDerivatives<T, Joints> forward_derivatives(const Robot<T, Joints>& robot,
                                                         const JointVector<T, Joints>& position,
                                                         const JointVector<T, Joints>& velocity,
                                                         const JointVector<T, Joints>& torque,
                                                         const ExternalWrench<T>& external) noexcept {
  const int n = robot.joints();
  CompositeMotion<T, Joints> composite(robot, position, velocity,
                                       JointVector<T, Joints>(JointVector<T, Joints>::Zero(n)));
  const auto jacobian = frame_jacobian(robot, composite.pose, external.frame);
  const Wrench<T> f = in_world_axes(composite.pose, external);
  const MassFactor<T, Joints> mass(mass_matrix_of(robot, composite.pose, composite.screw_momentum));
  JointVector<T, Joints> acting = torque - composite.torque(robot);
  for (int i = 0; i < n; ++i) {
    acting[i] += jacobian.col(i).template head<3>().dot(f.force) + jacobian.col(i).template tail<3>().dot(f.moment);
  }

  ForwardDerivatives<T, Joints> result;
  result.mass_is_positive = mass.is_positive();
  result.by_torque = mass.inverse();
  result.acceleration = mass.solve(acting);
  composite.accelerate(robot, result.acceleration);
  JointMatrix<T, Joints> by_position, by_velocity;
  composite.differentiate(robot, by_position, by_velocity);
  by_position -= external_torque_by_position(robot, jacobian, external.frame.link, f, external.axes);
  result.by_position.noalias() = -(result.by_torque * by_position);
  result.by_velocity.noalias() = -(result.by_torque * by_velocity);
  result.by_wrench.noalias() = result.by_torque * jacobian.transpose();
  if (external.axes == WrenchAxes::frame) {
    const Matrix<T, 3> axes = frame_placement(composite.pose, external.frame).rotation;
    result.by_wrench.template leftCols<3>() *= axes;
    result.by_wrench.template rightCols<3>() *= axes;
  }
  return result;
}

}  // namespace tauhat
