// The links alone, moved by the motor as it was measured: from motor velocity to link velocity without a gain, and
// without the motor's torque or its friction. What the thesis calls a virtual sensor, and takes for a reference.
//   M [w_l', w_n']^T = [K (q_m / N - q_l) + D (w_m / N - w_l) - b_l w_l - tau_l,  -K_n q_n - (D_n + b_n) w_n - tau_n]^T
// Between samples the motor moves evenly. Its error dies out by the links' own damping alone.
#pragma once

#include <cmath>
#include <limits>

#include "tauhat/core/linear/hold.hpp"
#include "tauhat/core/linear/spectrum.hpp"
#include "tauhat/offline/joint/joint_core.hpp"

namespace tauhat {

// N counts the states of the joint, the motor's two among them.
template <int N>
class VirtualSensorCore {
  static constexpr int kBodies = N / 2, kLinks = kBodies - 1, kMotorVelocity = kBodies;

 public:
  static constexpr int kStates = N, kOutputs = kLinearJointOutputs;

  VirtualSensorCore(const LinearJoint<double, N>& joint, const JointSpec& spec, double period)
      : joint_(joint), gravity_(spec.gravity), period_(period), usual_(over(period)) {}

  void start(const JointState& x) noexcept {
    x_ = joint_detail::placed_state<N>(x, kBodies);
    interval_ = 0.0;
  }

  // Over the interval that ends with this sample.
  Correction<double> correct(double position, double) noexcept {
    if (interval_ > 0.0) {
      const double before = x_[joint_detail::kMotorPosition];
      if (std::isfinite(position)) x_[kMotorVelocity] = (position - before) / interval_;
      advance();
      interval_ = 0.0;
    }
    if (std::isfinite(position)) x_[joint_detail::kMotorPosition] = position;
    return {};
  }
  void coast() noexcept { correct(std::numeric_limits<double>::quiet_NaN(), 0.0); }

  StepStatus predict(const JointTorques& torques, double dt) noexcept {
    torques_ = torques;
    torques_[load_torque_input] += gravity_.torque(x_[joint_detail::kMotorPosition] / joint_.ratio);
    interval_ = dt;
    return x_.allFinite() ? StepStatus::ok : StepStatus::diverged;
  }

  void set_joint(const LinearJoint<double, N>& joint, const GravityTorque<double>& gravity) noexcept {
    joint_ = joint, gravity_ = gravity;
    usual_ = over(period_);
  }

  bool has_output(int index) const noexcept { return joint_.has_output(index); }
  double output(int index) const noexcept { return joint_.output(index).dot(x_); }
  double radius() const noexcept {
    return spectral_radius<double, 2 * kLinks>(usual_.transition.template topLeftCorner<2 * kLinks, 2 * kLinks>());
  }
  double variance(int) const noexcept { return std::numeric_limits<double>::quiet_NaN(); }

 private:
  // Links' positions, then velocities, then the motor's position, which its velocity moves.
  static constexpr int kMoved = 2 * kLinks + 1, kMotor = 2 * kLinks, kMovers = 3;
  using Step = Sampled<double, kMoved, kMovers>;

  static constexpr int place(int i) { return i < kLinks ? 1 + i : i < kMotor ? kBodies + 1 + i - kLinks : 0; }

  Step over(double period) const noexcept {
    Matrix<double, kMoved> a = Matrix<double, kMoved>::Zero();
    Matrix<double, kMoved, kMovers> b = Matrix<double, kMoved, kMovers>::Zero();
    for (int i = 0; i < kMotor; ++i) {
      for (int j = 0; j < kMoved; ++j) a(i, j) = joint_.dynamics(place(i), place(j));
      b(i, 0) = joint_.dynamics(place(i), kMotorVelocity);
      b(i, 1) = joint_.by_torque(place(i), load_torque_input);
      b(i, 2) = joint_.by_torque(place(i), neighbour_torque_input);
    }
    b(kMotor, 0) = 1.0;
    return held<double, kMoved, kMovers>(a, b, period);
  }

  void advance() noexcept {
    const bool usual = std::abs(interval_ - period_) < 1e-3 * period_;
    const Step step = usual ? usual_ : over(interval_);
    Vector<double, kMoved> moved;
    for (int i = 0; i < kMoved; ++i) moved[i] = x_[place(i)];
    const Vector<double, kMovers> movers(x_[kMotorVelocity], torques_[load_torque_input],
                                         torques_[neighbour_torque_input]);
    const Vector<double, kMoved> next = step.transition * moved + step.by_input * movers;
    for (int i = 0; i < kMoved; ++i) x_[place(i)] = next[i];
  }

  LinearJoint<double, N> joint_;
  GravityTorque<double> gravity_;
  double period_, interval_ = 0.0;
  Step usual_;
  Vector<double, N> x_ = Vector<double, N>::Zero();
  JointTorques torques_ = JointTorques::Zero();
};

}  // namespace tauhat
