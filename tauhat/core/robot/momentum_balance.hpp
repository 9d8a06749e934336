// What observers of the momentum share: velocities from the encoders, the momentum, and what changes it besides the
// environment,  p' = tau - friction + C^T v - g + tau_external.
#pragma once

#include "tauhat/core/filters/correction.hpp"
#include "tauhat/core/robot/filtered_velocity.hpp"
#include "tauhat/core/robot/force_least_squares.hpp"
#include "tauhat/core/robot/friction_under_load.hpp"
#include "tauhat/core/robot/momentum.hpp"
#include "tauhat/core/robot/resting_joints.hpp"

namespace tauhat {

template <class T, int Joints>
class MomentumBalance {
 public:
  using Joint = JointVector<T, Joints>;

  MomentumBalance(const Robot<T, Joints>& robot, const JointFriction<T, Joints>& friction, T velocity_cut_off,
                  T interval) noexcept
      : robot_(robot),
        friction_(friction),
        velocity_filter_(velocity_cut_off, interval, robot.joints()),
        interval_(interval),
        bends_(bends_anywhere(friction)),
        torque_(Joint::Zero(robot.joints())) {
    start(torque_, torque_);
  }

  void start(const Joint& position, const Joint& velocity) noexcept {
    velocity_filter_.start(position, velocity);
    position_ = position;
    velocity_ = velocity;
    now_ = generalised_momentum(robot_, position, velocity);
    torque_.setZero();
    memory_ = no_memory(friction_);
  }

  // Where a position is missing, nothing is known of the momentum, and nothing changes.
  StepStatus measure(const Joint& position) noexcept {
    if (!position.allFinite()) return StepStatus::missing;
    return measure(position, velocity_filter_.step(position));
  }
  // With velocities that were measured.
  StepStatus measure(const Joint& position, const Joint& velocity) noexcept {
    if (!position.allFinite() || !velocity.allFinite()) return StepStatus::missing;
    position_ = position;
    velocity_ = velocity;
    now_ = generalised_momentum(robot_, position_, velocity_);
    if (bends_) memory_ = memory_after(friction_, robot_.transmission().actuator_motion(velocity_), memory_, interval_);
    return StepStatus::ok;
  }

  // The torque that is held until the next sample; one that is not finite is what it was.
  StepStatus hold(const Joint& torque) noexcept {
    if (!torque.allFinite()) return StepStatus::input_held;
    torque_ = torque;
    return StepStatus::ok;
  }

  const Robot<T, Joints>& robot() const noexcept { return robot_; }
  const Joint& positions() const noexcept { return position_; }
  const Joint& velocities() const noexcept { return velocity_; }
  const Joint& momentum() const noexcept { return now_.momentum; }
  // tau - friction + C^T v - g
  Joint known_rate() const noexcept {
    return torque_ - friction_torque(robot_.transmission(), friction_, velocity_, memory_, torque_) + now_.drift;
  }

  RestingJoints<T, Joints> at_rest() const noexcept {
    return {friction_, robot_.transmission().actuator_motion(velocity_)};
  }

  // With what friction hides at joints that rest.
  ExternalTorque<T, Joints> external_torque(const Joint& torque, JointMatrix<T, Joints> covariance) const noexcept {
    const auto resting = at_rest();
    if (resting.any()) covariance += resting.hidden_torque(robot_.transmission(), friction_);
    return {torque, covariance};
  }

  // At a frame, in world axes; `prior_variance` is what is known of the force beforehand (force_least_squares.hpp).
  template <int Axes>
  ForceEstimate<T, Axes> force_at(const Frame<T>& frame, const ExternalTorque<T, Joints>& external,
                                  const Vector<T, Axes>& prior_variance) const noexcept {
    const auto jacobian = frame_jacobian(robot_, pose_of(robot_, position_), frame);
    return TorqueToForce<T, Joints, Axes>(jacobian, external.covariance, prior_variance)(external.torque);
  }

 private:
  Robot<T, Joints> robot_;
  JointFriction<T, Joints> friction_;
  FilteredVelocity<T, Joints> velocity_filter_;
  T interval_;
  bool bends_;
  FrictionMemory<T, Joints> memory_;
  Joint torque_, position_, velocity_;
  GeneralisedMomentum<T, Joints> now_;
};

}  // namespace tauhat
