// What the estimators of a force are told and read alike, and what a source of error makes of a reading's covariance.
#pragma once

#include "tauhat/core/robot/force_least_squares.hpp"
#include "tauhat/core/robot/joint_friction.hpp"
#include "tauhat/core/robot/resting_joints.hpp"
#include "tauhat/offline/robot/robot_spec.hpp"

namespace tauhat {

// What all of them are told.
struct ForceSetup {
  Robot<double> robot;
  JointFriction<double, Eigen::Dynamic> friction;
  ForceSpec spec;
  JointValues position_noise, torque_noise, residual;  // rad, N m, N m
  JointValues velocity_noise;                          // rad/s; empty where velocities are not measured
  double period = 1e-3;                                // s, of the observers

  bool measures_velocity() const noexcept { return velocity_noise.size() > 0; }
  const Frame<double>* frame() const noexcept { return robot.find_frame(spec.frame); }
  int axes() const noexcept { return spec.frame.empty() ? 0 : spec.with_moment ? 6 : 3; }
};

struct ForceReading {
  ExternalTorque<double, Eigen::Dynamic> external;
  ForceEstimate<double, 6> force{Vector<double, 6>::Zero(), Matrix<double, 6>::Zero()};  // of as many axes as asked for
  RestingJoints<double, Eigen::Dynamic> resting;
};

// Variances of a reading by the noise of the sensors alone: of each joint's torque and of each axis.
struct ReadingNoise {
  JointValues torque;
  Vector<double, 6> force = Vector<double, 6>::Zero();
};

// Covariances of a reading by one source.
struct ReadingCovariance {
  JointMatrix<double, Eigen::Dynamic> torque;  // of the external torques
  Matrix<double, 6> force = Matrix<double, 6>::Zero();
};

// Standard deviation of an axis of the force beforehand, ten times what the filter would begin with: where the arm is
// singular, and only there, it counts.
inline double known_beforehand(const ForceSpec& spec, int axis) noexcept {
  constexpr double kHardly = 10.0;
  return kHardly * (axis < 3 ? spec.start : spec.moment_start);
}
template <int Axes>
Vector<double, Axes> known_beforehand(const ForceSpec& spec) noexcept {
  Vector<double, Axes> all;
  for (int axis = 0; axis < Axes; ++axis) all[axis] = known_beforehand(spec, axis);
  return all;
}

// Rows in the axes of the force.
inline FrameJacobian<double, Eigen::Dynamic> force_jacobian(const ForceSetup& setup, const JointValues& position) {
  const auto pose = pose_of(setup.robot, position);
  auto jacobian = frame_jacobian(setup.robot, pose, *setup.frame());
  if (setup.spec.axes == WrenchAxes::world) return jacobian;
  const Matrix<double, 3> axes = frame_placement(pose, *setup.frame()).rotation.transpose();
  jacobian.topRows<3>() = (axes * jacobian.topRows<3>()).eval();
  jacobian.bottomRows<3>() = (axes * jacobian.bottomRows<3>()).eval();
  return jacobian;
}

// What an estimator that weighs the joints' torques by these variances makes of torques of another covariance.
template <int Axes>
Matrix<double, 6> force_covariance_of(const ForceSetup& setup, const JointValues& position,
                                      const JointMatrix<double, Eigen::Dynamic>& weights,
                                      const JointMatrix<double, Eigen::Dynamic>& torques) {
  const TorqueToForce<double, Eigen::Dynamic, Axes> to_force(force_jacobian(setup, position), weights,
                                                             known_beforehand<Axes>(setup.spec).cwiseAbs2());
  Matrix<double, 6> covariance = Matrix<double, 6>::Zero();
  covariance.topLeftCorner<Axes, Axes>() = to_force.gain * torques * to_force.gain.transpose();
  return covariance;
}

}  // namespace tauhat
