// The force at a frame that joint torques stand for, J^T f = tau, by least squares with what was known before:
//   f = G tau,  G = P J S^-1,  P = (J S^-1 J^T + F^-1)^-1
// S the torques' covariance, F the variances of the force beforehand. Where the arm is singular, J^T f says nothing of
// some direction: F damps it, and P has F's variance there instead of a spike.
#pragma once

#include <cmath>

#include "tauhat/core/robot/frame_motion.hpp"
#include "tauhat/core/robot/mass_matrix.hpp"

namespace tauhat {

template <class T, int Joints>
struct ExternalTorque {
  JointVector<T, Joints> torque;  // N m, from the environment on the robot
  JointMatrix<T, Joints> covariance;

  T standard_deviation(int joint) const noexcept { return std::sqrt(covariance(joint, joint)); }
};

template <class T, int Axes>
struct ForceEstimate {
  Vector<T, Axes> force;  // N, then N m
  Matrix<T, Axes> covariance;

  T standard_deviation(int axis) const noexcept { return std::sqrt(covariance(axis, axis)); }
};

template <class T, int Joints, int Axes>
struct TorqueToForce {
  Eigen::Matrix<T, Axes, Joints, Eigen::ColMajor, Axes, kJointBound<Joints>> gain;
  Matrix<T, Axes> covariance;
  bool is_defined;  // the covariance of the torques was positive; otherwise the rest means nothing

  TorqueToForce(const FrameJacobian<T, Joints>& jacobian, const JointMatrix<T, Joints>& torque_covariance,
                const Vector<T, Axes>& prior_variance) noexcept {
    const MassFactor<T, Joints> torque(torque_covariance);
    const auto j = jacobian.template topRows<Axes>();
    gain = j.lazyProduct(torque.inverse());
    JointMatrix<T, Axes> information = gain.lazyProduct(j.transpose());
    information.diagonal() += prior_variance.cwiseInverse();
    const MassFactor<T, Axes> force(information);
    covariance = force.inverse();
    const auto weighted = gain;
    gain = covariance.lazyProduct(weighted);
    is_defined = torque.is_positive() && force.is_positive();
  }

  ForceEstimate<T, Axes> operator()(const JointVector<T, Joints>& torque) const noexcept {
    return {gain.lazyProduct(torque), covariance};
  }
};

}  // namespace tauhat
