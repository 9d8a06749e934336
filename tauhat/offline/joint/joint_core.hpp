// The two kinds of observer of a joint, step by step: fixed gains, and the extended filter with a bristle inside. Both
// take the motor's torque and the predictable torque at the link, and see the motor's position.
#pragma once

#include <cmath>
#include <numbers>
#include <optional>

#include "tauhat/core/filters/ekf.hpp"
#include "tauhat/core/models/joint_with_bristles.hpp"
#include "tauhat/core/observers/disturbance_observer.hpp"
#include "tauhat/offline/joint/observer_gain.hpp"

namespace tauhat {

// Held over a step. Those at the links are what is known to act beside gravity.
struct JointTorques {
  double motor = 0.0, load = 0.0, neighbour = 0.0;
};

// x(k+1|k) = A x + B u + L e,   e = y - C x(k|k-1),   x(k|k) = x(k|k-1) + K e,   L = A K
template <class M>
class FixedGainCore {
 public:
  using Model = M;
  static constexpr int kStates = M::kStates;
  using State = StateOf<M>;

  FixedGainCore(const M& model, const JointSpec& spec, const ObserverSpec& observer, double period,
                double sensor_variance)
      : model_(model),
        gravity_(spec.gravity),
        gain_(observer_gain(model, observer, period, sensor_variance)),
        predicts_(observer.predicts),
        period_(period) {
    if (observer.friction_compensation) coulomb_ = spec.coulomb, slope_ = observer.compensation_slope;
    if (observer.disturbance_observer) disturbance_ = disturbance_observer_for(gain_, observer, period);
  }

  const M& model() const noexcept { return model_; }

  void start(const StateOf<ElasticJoint<double>>& joint) noexcept {
    x_.setZero();
    for (int body = 0; body < kBodies; ++body) {
      x_[body] = joint[body];
      x_[kBodies + body] = joint[ElasticJoint<double>::kBodies + body];
    }
    innovation_ = 0.0;
  }

  Correction<double> correct(double position, double) noexcept {
    innovation_ = position - x_[motor_position];
    return {.status = StepStatus::ok, .innovation = innovation_, .variance = gain_.innovation_variance};
  }

  StepStatus predict(const JointTorques& torques, double dt) noexcept {
    const State now = state();
    InputOf<M> u = InputOf<M>::Zero();
    u[0] = torques.motor - coulomb_ * (2.0 / std::numbers::pi) * std::atan(slope_ * now[kBodies]);
    if (disturbance_) u[0] -= disturbance_->step(innovation_);
    u[1] = torques.load + gravity_.torque(now[motor_position] / bare_joint(model_).ratio);
    if constexpr (kBodies == 3) u[2] = torques.neighbour;
    const bool usual = std::abs(dt - period_) < 1e-3 * period_;
    const auto& step = usual ? gain_.sampled : sampled_for(dt);
    const State next = step.transition * x_ + step.by_input * u + gain_.predictor * innovation_;
    if (!std::isfinite(next.sum())) return StepStatus::diverged;
    x_ = next;
    innovation_ = 0.0;
    return StepStatus::ok;
  }

  // Another pose has another mass matrix. The gain stays: what scheduling it adds cannot be measured.
  void set_model(const M& model) noexcept {
    model_ = model;
    gain_.sampled = sampled(period_);
    other_period_ = 0.0;
  }

  State state() const noexcept { return predicts_ ? x_ : State(x_ + gain_.filter * innovation_); }
  double output(int index) const noexcept { return model_.output(index, state(), InputOf<M>::Zero()); }
  // Unknown where poles were placed: nobody said how large the noise is.
  double variance(int index) const noexcept {
    const State h = differentiate_output(model_, index, state(), InputOf<M>(InputOf<M>::Zero())).by_state;
    return h.dot(gain_.covariance * h);
  }

 private:
  static constexpr int kBodies = std::decay_t<decltype(bare_joint(std::declval<const M&>()))>::kBodies;
  static constexpr int motor_position = 0;

  const Sampled<double, M::kStates, M::kInputs>& sampled_for(double dt) noexcept {
    if (dt != other_period_) other_ = sampled(dt), other_period_ = dt;
    return other_;
  }
  Sampled<double, M::kStates, M::kInputs> sampled(double dt) const noexcept {
    const auto at = linearise(model_, State(State::Zero()), InputOf<M>(InputOf<M>::Zero()));
    return held<double, M::kStates, M::kInputs>(at.by_state, at.by_input, dt);
  }

  M model_;
  GravityTorque<double> gravity_;
  ObserverGain<M> gain_;
  bool predicts_;
  double period_, other_period_ = 0.0;
  Sampled<double, M::kStates, M::kInputs> other_{};
  double coulomb_ = 0.0, slope_ = 0.0;
  std::optional<DisturbanceObserver<M::kStates>> disturbance_;
  State x_ = State::Zero();
  double innovation_ = 0.0;
};

// The extended Kalman filter of a JointWithBristles.
template <class M>
class BristleCore {
  using Joint = JointWithBristles<M>;

 public:
  using Model = Joint;
  static constexpr int kStates = Joint::kStates;

  BristleCore(const M& model, const JointSpec& spec, const ObserverSpec& observer, double period)
      : filter_(Joint(model, *spec.friction, spec.gravity, std::pow(observer.bristle_noise, 2), period), {}) {}

  const Joint& model() const noexcept { return filter_.model(); }

  void start(const StateOf<ElasticJoint<double>>& joint) noexcept {
    Vector<double, kStates> mean = Vector<double, kStates>::Zero();
    Vector<double, kStates> variances = Vector<double, kStates>::Constant(1e-2);
    for (int body = 0; body < kBodies; ++body) {
      mean[body] = joint[body];
      mean[kBodies + body] = joint[ElasticJoint<double>::kBodies + body];
      variances[body] = 1e-4;
    }
    variances[0] = 1e-6;
    variances[Joint::kBristle] = 1e-4;
    filter_.reset(Gaussian<double, kStates>::from_variances(mean, variances));
  }

  Correction<double> correct(double position, double variance) noexcept { return filter_.correct({0, position, variance}); }
  StepStatus predict(const JointTorques& torques, double dt) noexcept {
    return filter_.predict({torques.motor, torques.load}, dt);
  }

  double output(int index) const noexcept { return model().output(index, filter_.belief().mean, filter_.input()); }
  double variance(int index) const noexcept {
    return estimate_output(model(), index, filter_.belief(), filter_.input()).variance;
  }

 private:
  static constexpr int kBodies = std::decay_t<decltype(bare_joint(std::declval<const M&>()))>::kBodies;
  Ekf<Joint> filter_;
};

}  // namespace tauhat
