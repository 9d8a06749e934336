// Torques of the environment on a robot's joints, from the momentum that the known torques do not explain (De Luca and
// Mattone 2005):
//   r = K (p - p(0) - integral of (tau - friction + C^T v - g + r) dt),   r' = K (tau_external - r)
// A low-pass of the external torque, wherever it acts; no mass matrix is inverted and no acceleration needed.
// Velocities are measured, or differences of the positions: then their noise sets how fast it can be.
#pragma once

#include "tauhat/core/robot/momentum_balance.hpp"

namespace tauhat {

template <class T, int Joints>
struct MomentumObserverSettings {
  using Vector = JointVector<T, Joints>;

  T gain = T(60);                  // 1/s: the bandwidth
  T velocity_cut_off = T(100);     // Hz
  T interval = constant<T>(1e-3);  // s
  Vector position_noise;           // rad: standard deviation of the encoders
  Vector velocity_noise;           // rad/s: of velocities that were measured
  bool measures_velocity = false;  // else they are taken from the positions
  Vector torque_noise;             // N m: of the measured torques, white
  Vector residual;                 // N m: what the model lacks; it stays, and no bandwidth makes it less

  explicit MomentumObserverSettings(int joints)
      : position_noise(Vector::Zero(joints)),
        velocity_noise(Vector::Zero(joints)),
        torque_noise(Vector::Zero(joints)),
        residual(Vector::Zero(joints)) {}
};

template <class T, int Joints>
class MomentumObserver {
 public:
  using Joint = JointVector<T, Joints>;

  MomentumObserver(const Robot<T, Joints>& robot, const JointFriction<T, Joints>& friction,
                   const MomentumObserverSettings<T, Joints>& settings) noexcept
      : balance_(robot, friction, settings.velocity_cut_off, settings.interval),
        settings_(settings),
        integral_(balance_.momentum()),
        residual_(Joint::Zero(robot.joints())) {
    find_noise_gains();
  }

  void start(const Joint& position, const Joint& velocity) noexcept {
    balance_.start(position, velocity);
    integral_ = balance_.momentum();
    residual_.setZero();
  }

  // The positions of now. Where one is missing, the observer waits.
  StepStatus correct(const Joint& position) noexcept { return taken(balance_.measure(position)); }
  // With velocities that were measured.
  StepStatus correct(const Joint& position, const Joint& velocity) noexcept {
    return taken(balance_.measure(position, velocity));
  }

  StepStatus predict(const Joint& torque) noexcept {
    const StepStatus status = balance_.hold(torque);
    integral_ += settings_.interval * (balance_.known_rate() + residual_);
    return status;
  }

  const MomentumBalance<T, Joints>& balance() const noexcept { return balance_; }
  const Joint& residual() const noexcept { return residual_; }

  ExternalTorque<T, Joints> external_torque() const noexcept {
    const JointMatrix<T, Joints> mass = mass_matrix(balance_.robot(), balance_.positions());
    const Joint variance = settings_.measures_velocity ? Joint(settings_.velocity_noise.cwiseAbs2() * velocity_gain_)
                                                       : Joint(settings_.position_noise.cwiseAbs2() * position_gain_);
    const JointMatrix<T, Joints> scaled = mass * variance.asDiagonal();
    JointMatrix<T, Joints> covariance = scaled.lazyProduct(mass);
    covariance.diagonal() += settings_.torque_noise.cwiseAbs2() * torque_gain_ + settings_.residual.cwiseAbs2();
    return balance_.external_torque(residual_, covariance);
  }

  // At a frame, in world axes: 3 axes of a force, or 6 of a force and a moment.
  template <int Axes>
  ForceEstimate<T, Axes> force(const Frame<T>& frame, const Vector<T, Axes>& prior_variance) const noexcept {
    return balance_.template force_at<Axes>(frame, external_torque(), prior_variance);
  }

 private:
  StepStatus taken(StepStatus status) noexcept {
    if (status == StepStatus::ok) residual_ = settings_.gain * (balance_.momentum() - integral_);
    return status;
  }

  // Sums of the squared answers to one disturbed sample: of a position or a velocity, for each unit of inertia, and of
  // a torque.
  void find_noise_gains() noexcept {
    constexpr int kTimeConstants = 20, kVelocitySettles = 1000;  // samples
    const int steps = static_cast<int>(T(kTimeConstants) / (settings_.gain * settings_.interval)) + kVelocitySettles;
    FilteredVelocity<T, 1> filter(settings_.velocity_cut_off, settings_.interval, 1);
    T from_position = T(0), from_velocity = T(0), from_torque = T(0);  // what has been integrated
    for (int k = 0; k < steps; ++k) {
      const T disturbed = k == 0 ? T(1) : T(0);
      const T by_position = settings_.gain * (filter.step(JointVector<T, 1>(disturbed))[0] - from_position);
      const T by_velocity = settings_.gain * (disturbed - from_velocity);
      const T by_torque = -settings_.gain * from_torque;
      position_gain_ += by_position * by_position;
      velocity_gain_ += by_velocity * by_velocity;
      torque_gain_ += by_torque * by_torque;
      from_position += settings_.interval * by_position;
      from_velocity += settings_.interval * by_velocity;
      from_torque += settings_.interval * (disturbed + by_torque);
    }
  }

  MomentumBalance<T, Joints> balance_;
  MomentumObserverSettings<T, Joints> settings_;
  Joint integral_, residual_;
  T position_gain_ = T(0), velocity_gain_ = T(0), torque_gain_ = T(0);
};

}  // namespace tauhat
