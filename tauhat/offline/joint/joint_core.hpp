// The two kinds of observer of a joint, step by step: fixed gains, and the extended filter with a bristle inside. Both
// take the motor's torque and the predictable torque at the link, and see the motor's position.
#pragma once

#include <cmath>
#include <numbers>
#include <optional>

#include "tauhat/core/filters/ekf.hpp"
#include "tauhat/core/models/joint_with_bristles.hpp"
#include "tauhat/core/observers/disturbance_observer.hpp"
#include "tauhat/core/observers/fixed_gain.hpp"
#include "tauhat/offline/joint/observer_gain.hpp"

namespace tauhat {

// Held over a step. Those at the links are what is known to act beside gravity.
struct JointTorques {
  double motor = 0.0, load = 0.0, neighbour = 0.0;
};

// An observer with fixed gains, its input freed of what friction takes: by an arctangent of the velocity, and by the
// disturbance observer around it.
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
        observer_(gain_.sampled.transition, gain_.sampled.by_input, joint_detail::measured_row<M>(),
                  observer.predicts ? ObserverForm::predictor : ObserverForm::filter,
                  observer.predicts ? gain_.predictor : gain_.filter),
        period_(period) {
    if (observer.friction_compensation) coulomb_ = spec.coulomb, slope_ = observer.compensation_slope;
    if (observer.disturbance_observer) disturbance_observer_ = disturbance_observer_for(gain_, observer, period);
  }

  const M& model() const noexcept { return model_; }

  void start(const StateOf<ElasticJoint<double>>& joint) noexcept {
    State x = State::Zero();
    for (int body = 0; body < kBodies; ++body) {
      x[body] = joint[body];
      x[kBodies + body] = joint[ElasticJoint<double>::kBodies + body];
    }
    observer_.start(x);
  }

  Correction<double> correct(double position, double) noexcept {
    observer_.correct(Vector<double, 1>(position));
    return {.status = StepStatus::ok, .innovation = observer_.innovation()[0], .variance = gain_.innovation_variance};
  }

  StepStatus predict(const JointTorques& torques, double dt) noexcept {
    const State& now = observer_.estimate();
    InputOf<M> u = InputOf<M>::Zero();
    u[0] = torques.motor - coulomb_ * (2.0 / std::numbers::pi) * std::atan(slope_ * now[kBodies]);
    if (disturbance_observer_) u[0] -= disturbance_ = disturbance_observer_->step(observer_.innovation()[0]);
    u[1] = torques.load + gravity_.torque(now[joint_detail::kMotorPosition] / bare_joint(model_).ratio);
    if constexpr (kBodies == 3) u[2] = torques.neighbour;
    const bool usual = std::abs(dt - period_) < 1e-3 * period_;
    if (!usual) reschedule(dt);
    observer_.predict(u);
    if (!usual) reschedule(period_);
    return observer_.state().allFinite() ? StepStatus::ok : StepStatus::diverged;
  }
  // No sample came: the estimate is what was predicted.
  void coast() noexcept { observer_.correct(Vector<double, 1>(std::numeric_limits<double>::quiet_NaN())); }

  // Another pose has another mass matrix. The gain stays: what scheduling it would add cannot be measured.
  void set_model(const M& model) noexcept {
    model_ = model;
    reschedule(period_);
  }

  // What the disturbance observer found at the motor, N m.
  double disturbance() const noexcept { return disturbance_; }
  double output(int index) const noexcept { return model_.output(index, observer_.estimate(), InputOf<M>::Zero()); }
  // Unknown where poles were placed: nobody said how large the noise is.
  double variance(int index) const noexcept {
    const State h = differentiate_output(model_, index, observer_.estimate(), InputOf<M>(InputOf<M>::Zero())).by_state;
    return h.dot(gain_.covariance * h);
  }

 private:
  static constexpr int kBodies = std::decay_t<decltype(bare_joint(std::declval<const M&>()))>::kBodies;

  void reschedule(double dt) noexcept {
    const auto step = sampled_joint(model_, dt);
    observer_.reschedule(step.transition, step.by_input);
  }

  M model_;
  GravityTorque<double> gravity_;
  ObserverGain<M> gain_;
  FixedGainObserver<double, M::kStates, M::kInputs, 1> observer_;
  double period_;
  double coulomb_ = 0.0, slope_ = 0.0, disturbance_ = 0.0;
  std::optional<DisturbanceObserver<M::kStates>> disturbance_observer_;
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
  void coast() noexcept {}
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
