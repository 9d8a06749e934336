// The mass matrix from composite inertias (Cuadrado et al. 2009, eq. of M^Sigma), and its factors.
//   M_ij = b_i . (sum of I_k over the links k behind both) b_j + (C^T Ja C)_ij
#pragma once

#include "tauhat/core/robot/motion.hpp"

namespace tauhat {

// Of each link about the world's origin.
template <class T, int Joints>
inline LinkArray<SpatialInertia<T>, Joints> world_inertias(const Robot<T, Joints>& robot,
                                                           const Pose<T, Joints>& pose) noexcept {
  LinkArray<SpatialInertia<T>, Joints> inertia;
  for (int i = 0; i < robot.joints(); ++i) inertia[i] = robot.link(i).in_world(pose.rotation[i], pose.origin[i]);
  return inertia;
}

// I_i b_i of the composite bodies: the momentum of all that joint i moves, for each unit of its velocity.
template <class T, int Joints>
inline LinkArray<Wrench<T>, Joints> screw_momenta(const Robot<T, Joints>& robot, const Pose<T, Joints>& pose,
                                                  const LinkArray<SpatialInertia<T>, Joints>& composite) noexcept {
  LinkArray<Wrench<T>, Joints> momentum;
  for (int i = 0; i < robot.joints(); ++i) momentum[i] = composite[i] * pose.screw[i];
  return momentum;
}

template <class T, int Joints>
inline JointMatrix<T, Joints> mass_matrix_of(const Robot<T, Joints>& robot, const Pose<T, Joints>& pose,
                                             const LinkArray<Wrench<T>, Joints>& momentum) noexcept {
  const int n = robot.joints();
  JointMatrix<T, Joints> mass(n, n);
  const auto& transmission = robot.transmission();
  if (transmission.is_coupled()) {
    mass = transmission.coupling().transpose() * robot.actuator_inertia().asDiagonal() * transmission.coupling();
  } else {
    mass = robot.actuator_inertia().asDiagonal();
  }
  for (int j = 0; j < n; ++j) {
    mass(j, j) += dot(pose.screw[j], momentum[j]);
    for (int i = robot.parent(j); i != kBase; i = robot.parent(i)) {
      const T shared = dot(pose.screw[i], momentum[j]);
      mass(i, j) += shared;
      mass(j, i) += shared;
    }
  }
  return mass;
}

template <class T, int Joints>
inline JointMatrix<T, Joints> mass_matrix(const Robot<T, Joints>& robot,
                                          const JointVector<T, Joints>& position) noexcept {
  const auto pose = pose_of(robot, position);
  auto composite = world_inertias(robot, pose);
  accumulate(robot, composite);
  return mass_matrix_of(robot, pose, screw_momenta(robot, pose, composite));
}

// M = L D L^T, without square roots. is_positive() is false where masses are not physical: the solution is then not
// to be used.
template <class T, int Joints>
class MassFactor {
 public:
  explicit MassFactor(const JointMatrix<T, Joints>& mass) noexcept : lower_(mass), inverse_(mass.rows()) {
    const int n = static_cast<int>(mass.rows());
    for (int j = 0; j < n; ++j) {
      const T pivot = lower_(j, j);
      positive_ = positive_ && pivot > T(0);
      inverse_[j] = T(1) / pivot;
      for (int k = j + 1; k < n; ++k) {
        const T scaled = lower_(k, j) * inverse_[j];
        for (int i = k; i < n; ++i) lower_(i, k) -= lower_(i, j) * scaled;
      }
      for (int i = j + 1; i < n; ++i) lower_(i, j) *= inverse_[j];
    }
  }

  bool is_positive() const noexcept { return positive_; }

  JointVector<T, Joints> solve(JointVector<T, Joints> x) const noexcept {
    const int n = static_cast<int>(x.size());
    for (int j = 0; j < n; ++j) {
      for (int i = j + 1; i < n; ++i) x[i] -= lower_(i, j) * x[j];
    }
    for (int j = n - 1; j >= 0; --j) {
      x[j] *= inverse_[j];
      for (int i = j + 1; i < n; ++i) x[j] -= lower_(i, j) * x[i];
    }
    return x;
  }

  JointMatrix<T, Joints> inverse() const noexcept {
    const int n = static_cast<int>(inverse_.size());
    JointMatrix<T, Joints> result(n, n);
    for (int j = 0; j < n; ++j) result.col(j) = solve(JointVector<T, Joints>::Unit(n, j));
    return result;
  }

 private:
  JointMatrix<T, Joints> lower_;
  JointVector<T, Joints> inverse_;  // of the pivots
  bool positive_ = true;
};

}  // namespace tauhat
