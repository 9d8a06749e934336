// The two filters of a joint, step by step: fixed gains, and the extended filter with a bristle inside. Both take the
// motor's torque and what is known to act at the links, and see the motor's position.
#pragma once

#include <cmath>
#include <limits>
#include <numbers>

#include "tauhat/core/filters/ekf.hpp"
#include "tauhat/core/models/joint_with_bristles.hpp"
#include "tauhat/core/observers/disturbance_observer.hpp"
#include "tauhat/offline/joint/observer_gain.hpp"

namespace tauhat {

using JointState = StateOf<ElasticJoint<double>>;   // of motor, load and neighbour
using JointTorques = Vector<double, kJointInputs>;  // beside gravity

namespace joint_detail {

// Where a joint's state stands among those of a model with fewer bodies or with unknowns.
template <int N>
Vector<double, N> placed_state(const JointState& joint, int bodies) {
  Vector<double, N> x = Vector<double, N>::Zero();
  for (int body = 0; body < bodies; ++body) {
    x[body] = joint[body];
    x[bodies + body] = joint[ElasticJoint<double>::kBodies + body];
  }
  return x;
}

}  // namespace joint_detail

// Fixed gains; the input is freed of what friction takes: by an arctangent of the velocity, and by the disturbance
// observer around it.
template <int N>
class FixedGainCore {
 public:
  static constexpr int kStates = N, kOutputs = kLinearJointOutputs;

  FixedGainCore(const LinearJoint<double, N>& joint, const JointSpec& spec, const ObserverSpec& observer, double period,
                double sensor_variance)
      : joint_(joint),
        gravity_(spec.gravity),
        gain_(observer_gain(joint, observer, period, sensor_variance)),
        observer_(inner(observer), outer(observer, period)),
        period_(period) {
    if (observer.friction_compensation) coulomb_ = spec.coulomb, slope_ = observer.compensation_slope;
  }

  void start(const JointState& x) noexcept { observer_.start(joint_detail::placed_state<N>(x, joint_.bodies)); }

  Correction<double> correct(double position, double) noexcept {
    observer_.correct(Vector<double, 1>(position));
    position_ = std::isfinite(position) ? position : observer_.estimate()[joint_detail::kMotorPosition];
    return {.status = StepStatus::ok,
            .innovation = observer_.observer().innovation()[0],
            .variance = gain_.innovation_variance};
  }
  // No sample came: the estimate is what was predicted.
  void coast() noexcept { correct(std::numeric_limits<double>::quiet_NaN(), 0.0); }

  StepStatus predict(const JointTorques& torques, double dt) noexcept {
    const Vector<double, N>& now = observer_.estimate();
    JointTorques u = torques;
    u[motor_torque_input] -= coulomb_ * (2.0 / std::numbers::pi) * std::atan(slope_ * now[joint_.bodies]);
    // By the sample, not by the estimate: that would feed the innovation back through gravity.
    u[load_torque_input] += gravity_.torque(position_ / joint_.ratio);
    const bool usual = std::abs(dt - period_) < 1e-3 * period_;
    if (!usual) reschedule(dt);
    observer_.predict(u);
    if (!usual) reschedule(period_);
    return observer_.state().allFinite() ? StepStatus::ok : StepStatus::diverged;
  }

  // Another pose has another mass matrix. The gain stays: what scheduling it would add cannot be measured.
  void set_joint(const LinearJoint<double, N>& joint, const GravityTorque<double>& gravity) noexcept {
    joint_ = joint, gravity_ = gravity;
    reschedule(period_);
  }
  // The same with the gain of that pose. Throws Error, and stays as it was, where there is none.
  void set_joint(const LinearJoint<double, N>& joint, const GravityTorque<double>& gravity,
                 const ObserverSpec& observer, double sensor_variance) {
    gain_ = observer_gain(joint, observer, period_, sensor_variance);
    joint_ = joint, gravity_ = gravity;
    observer_.reschedule(gain_.sampled.transition, gain_.sampled.by_input,
                         observer.predicts ? gain_.predictor : gain_.filter);
  }

  bool has_output(int index) const noexcept { return joint_.has_output(index); }
  double output(int index) const noexcept { return joint_.output(index).dot(observer_.estimate()); }
  // Unknown where poles were placed: nobody said how large the noise is.
  // The error that a start leaves shrinks by this over one sample.
  double radius() const noexcept { return gain_.radius; }
  double variance(int index) const noexcept {
    return joint_.output(index) * gain_.covariance * joint_.output(index).transpose();
  }
  // What the disturbance observer found at the motor, N m.
  double disturbance() const noexcept { return observer_.disturbance(); }

 private:
  using Inner = FixedGainObserver<double, N, kJointInputs, 1>;
  Inner inner(const ObserverSpec& observer) const {
    return {gain_.sampled.transition, gain_.sampled.by_input, joint_detail::measured_row<N>(),
            observer.predicts ? ObserverForm::predictor : ObserverForm::filter,
            observer.predicts ? gain_.predictor : gain_.filter};
  }
  DisturbanceDesign<N> outer(const ObserverSpec& observer, double period) const {
    if (observer.disturbance_observer) return disturbance_design(gain_, observer, period);
    DisturbanceDesign<N> none;
    none.status = DisturbanceStatus::model_integrates;
    return none;
  }
  void reschedule(double dt) noexcept {
    const auto step = sampled_joint(joint_, dt);
    observer_.reschedule(step.transition, step.by_input);
  }

  LinearJoint<double, N> joint_;
  GravityTorque<double> gravity_;
  ObserverGain<N> gain_;
  DisturbanceObserver<N, kJointInputs> observer_;
  double period_, coulomb_ = 0.0, slope_ = 0.0, position_ = 0.0;
};

// The extended Kalman filter of a JointWithBristles.
template <int N>
class BristleCore {
  using Joint = JointWithBristles<double, N>;

 public:
  static constexpr int kStates = N, kOutputs = Joint::kFrictionOutput + 1;

  BristleCore(const LinearJoint<double, N>& joint, const JointSpec& spec, const ObserverSpec& observer, double period)
      : filter_(Joint(joint, *spec.friction, spec.gravity, std::pow(observer.bristle_noise, 2), period), {}) {}

  // Standard deviations: 0.1 rad/s and 0.1 N m, 10 mrad, of the motor's position and the bristle 1 mrad and 10 mrad.
  void start(const JointState& x) noexcept {
    const int bodies = filter_.model().joint().bodies;
    Vector<double, Joint::kStates> mean, variances = Vector<double, Joint::kStates>::Constant(1e-2);
    mean << joint_detail::placed_state<N>(x, bodies), 0.0;
    variances.head(bodies).setConstant(1e-4);
    variances[joint_detail::kMotorPosition] = 1e-6;
    variances[Joint::kBristle] = 1e-4;
    filter_.reset(Gaussian<double, Joint::kStates>::from_variances(mean, variances));
  }

  Correction<double> correct(double position, double variance) noexcept {
    return filter_.correct({joint_detail::kMotorPosition, position, variance});
  }
  void coast() noexcept {}
  // Another pose: the belief stays, its covariance follows by itself.
  void set_joint(const LinearJoint<double, N>& joint, const GravityTorque<double>& gravity) noexcept {
    filter_.model().set_joint(joint, gravity);
  }
  StepStatus predict(const JointTorques& torques, double dt) noexcept { return filter_.predict(torques, dt); }

  bool has_output(int index) const noexcept {
    return index == Joint::kFrictionOutput || filter_.model().joint().has_output(index);
  }
  double output(int index) const noexcept {
    return filter_.model().output(index, filter_.belief().mean, filter_.input());
  }
  double radius() const noexcept { return 0.0; }  // its variance knows of the start
  double variance(int index) const noexcept {
    const auto h = filter_.model().output_gradient(index, filter_.belief().mean, filter_.input()).by_state;
    return h.dot(filter_.belief().covariance() * h);
  }

 private:
  Ekf<Joint> filter_;
};

}  // namespace tauhat
