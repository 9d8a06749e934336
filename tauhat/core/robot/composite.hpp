// A robot in motion as its composite bodies see it: about the world's origin the inertias, momenta and forces of the
// links behind a joint simply add (Cuadrado et al. 2009). What forward dynamics and all derivatives begin with.
#pragma once

#include "tauhat/core/robot/frame_motion.hpp"
#include "tauhat/core/robot/grouped.hpp"
#include "tauhat/core/robot/velocity_product.hpp"

namespace tauhat {

// b_i . f for the screws of all joints.
template <class T, int Joints>
inline JointLanes<T, Joints> dot(const Grouped<Twist, T, Joints>& screw, const Wrench<T>& f) noexcept {
  JointLanes<T, Joints> result;
  for (int g = 0; g < screw.kGroups; ++g) {
    const Twist<Lanes<T>>& b = screw[g];
    result.group(g) = b.linear[0] * f.force[0] + b.linear[1] * f.force[1] + b.linear[2] * f.force[2] +
                      b.angular[0] * f.moment[0] + b.angular[1] * f.moment[1] + b.angular[2] * f.moment[2];
  }
  return result;
}

// The same with a second moment along other screws.
template <class T, int Joints>
inline JointLanes<T, Joints> dot(const Grouped<Twist, T, Joints>& screw, const Wrench<T>& f,
                                 const Grouped<Twist, T, Joints>& other, const Vector<T, 3>& moment) noexcept {
  JointLanes<T, Joints> result = dot(screw, f);
  for (int g = 0; g < screw.kGroups; ++g) {
    const Vector<Lanes<T>, 3>& u = other[g].angular;
    result.group(g) += u[0] * moment[0] + u[1] * moment[1] + u[2] * moment[2];
  }
  return result;
}

// C^T Ja C
template <class T, int Joints>
inline JointMatrix<T, Joints> actuator_mass(const Robot<T, Joints>& robot) noexcept {
  const auto& transmission = robot.transmission();
  if (!transmission.is_coupled()) return robot.actuator_inertia().asDiagonal();
  const JointMatrix<T, Joints> weighted = robot.actuator_inertia().asDiagonal() * transmission.coupling();
  return transmission.coupling().transpose().lazyProduct(weighted);
}

template <class T, int Joints>
struct CompositeInertia {
  Grouped<Twist, T, Joints> screw;
  Grouped<SpatialInertia, T, Joints> link, behind;  // each link's, and of all that a joint moves
  Grouped<Wrench, T, Joints> screw_momentum;  // behind * screw: the momentum for each unit of the joint's velocity

  CompositeInertia(const Robot<T, Joints>& robot, const Pose<T, Joints>& pose) noexcept
      : screw(pose.screw, robot.joints()) {
    const Grouped<Matrix3, T, Joints> rotation(pose.rotation, robot.joints());
    const Grouped<Vector3, T, Joints> origin(pose.origin, robot.joints());
    for (int g = 0; g < link.kGroups; ++g) link[g] = robot.link_group(g).in_world(rotation[g], origin[g]);
    behind = link.sums(robot.paths(), robot.joints());
    for (int g = 0; g < link.kGroups; ++g) screw_momentum[g] = behind[g] * screw[g];
  }

  // M_ij = b_i . (sum of I_k over the links k behind both) b_j + (C^T Ja C)_ij
  JointMatrix<T, Joints> mass_matrix(const Robot<T, Joints>& robot) const noexcept {
    JointMatrix<T, Joints> mass = actuator_mass(robot);
    for (int j = 0; j < robot.joints(); ++j) {
      const auto column = dot(screw, screw_momentum.of(j));
      mass(j, j) += column[j];
      for (int i = robot.parent(j); i != kBase; i = robot.parent(i)) {
        mass(i, j) += column[i];
        mass(j, i) += column[i];
      }
    }
    return mass;
  }
};

// F_k = I_k A_k + Z_k x* I_k Z_k of the links, and of all links behind each joint.
template <class T, int Joints>
struct CompositeForce {
  Grouped<Twist, T, Joints> velocity;
  Grouped<Wrench, T, Joints> momentum, wrench;  // of each link; of all that a joint moves

  CompositeForce(const Robot<T, Joints>& robot, const CompositeInertia<T, Joints>& inertia,
                 const Motion<T, Joints>& motion) noexcept
      : velocity(motion.velocity, robot.joints()) {
    const Grouped<Twist, T, Joints> acceleration(motion.acceleration, robot.joints());
    Grouped<Wrench, T, Joints> link;
    for (int g = 0; g < link.kGroups; ++g) {
      momentum[g] = inertia.link[g] * velocity[g];
      link[g] = inertia.link[g] * acceleration[g] + cross(velocity[g], momentum[g]);
    }
    wrench = link.sums(robot.paths(), robot.joints());
  }

  // Of the links alone: the actuators' are to be added.
  JointVector<T, Joints> torque(const Robot<T, Joints>& robot, const Pose<T, Joints>& pose) const noexcept {
    JointVector<T, Joints> result(robot.joints());
    for (int i = 0; i < robot.joints(); ++i) result[i] = dot(pose.screw[i], wrench.of(i));
    return result;
  }
};

}  // namespace tauhat
