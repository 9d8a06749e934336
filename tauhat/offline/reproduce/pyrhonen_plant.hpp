// An arm that follows a motion under its controller while something pushes it: the plant of the force experiments, for
// arms of any fixed number of joints.
//   tau = feed-forward + Kp (q_ref - q_m) + Kd (v_ref - v_m),  q_m the noisy encoder, v_m its filtered difference
#pragma once

#include <functional>
#include <vector>

#include "tauhat/core/robot/filtered_velocity.hpp"
#include "tauhat/core/robot/forward_dynamics.hpp"
#include "tauhat/core/robot/inverse_dynamics.hpp"
#include "tauhat/core/robot/joint_friction.hpp"
#include "tauhat/offline/simulate/random.hpp"

namespace tauhat::pyrhonen {

inline constexpr double kPeriod = 1e-3, kDuration = 8.0;                 // s
inline constexpr int kSubsteps = 20;                                     // of the plant: 50 us
inline constexpr double kPositionNoise = 1.745e-5, kTorqueNoise = 0.05;  // rad, N m

// q = middle + amplitude sin(w t + phase) + 0.3 amplitude sin(2.3 w t), joint by joint
template <int Joints>
struct ReferenceMotion {
  using Joint = JointVector<double, Joints>;
  Joint middle, amplitude, rate, phase;  // rad, rad, rad/s, rad

  // The derivative of this order.
  Joint derivative(double time, int order) const {
    constexpr double kOvertone = 2.3, kShare = 0.3, kQuarter = std::numbers::pi / 2.0;
    Joint value = order == 0 ? middle : Joint(Joint::Zero());
    for (int i = 0; i < Joints; ++i) {
      const double w = rate[i], turn = order * kQuarter;  // each derivative leads by a quarter
      value[i] += amplitude[i] * std::pow(w, order) *
                  (std::sin(w * time + phase[i] + turn) +
                   kShare * std::pow(kOvertone, order) * std::sin(kOvertone * w * time + turn));
    }
    return value;
  }
};

template <int Joints>
struct PushedArm {
  using Joint = JointVector<double, Joints>;
  Robot<double, Joints> robot;
  JointFriction<double, Joints> friction;
  ReferenceMotion<Joints> motion;
  Joint position_gain, velocity_gain;
  Frame<double> frame;                                   // where it is pushed
  std::function<Vector<double, 6>(double time)> wrench;  // N, N m, in world axes
};

template <int Joints>
struct PushedSample {
  using Joint = JointVector<double, Joints>;
  Joint measured_position, measured_torque, position, velocity;
  Vector<double, 6> wrench;  // held until the next sample, as the torque is
};

namespace pushed_detail {

template <int Joints>
struct ArmState {
  JointVector<double, Joints> position, velocity;
  friend ArmState operator+(const ArmState& a, const ArmState& b) {
    return {a.position + b.position, a.velocity + b.velocity};
  }
  friend ArmState operator*(double factor, const ArmState& a) { return {factor * a.position, factor * a.velocity}; }
};

template <int Joints>
ArmState<Joints> derivative(const PushedArm<Joints>& arm, const ArmState<Joints>& x,
                            const JointVector<double, Joints>& torque, const ExternalWrench<double>& push) {
  const JointVector<double, Joints> acting =
      torque - friction_torque(arm.robot.transmission(), arm.friction, x.velocity);
  return {x.velocity, forward_dynamics(arm.robot, x.position, x.velocity, acting, push).acceleration};
}

// One sampling period by Runge and Kutta's fourth order.
template <int Joints>
ArmState<Joints> advanced(const PushedArm<Joints>& arm, ArmState<Joints> x, const JointVector<double, Joints>& torque,
                          const ExternalWrench<double>& push) {
  const double h = kPeriod / kSubsteps;
  for (int i = 0; i < kSubsteps; ++i) {
    const auto k1 = derivative(arm, x, torque, push);
    const auto k2 = derivative(arm, x + h / 2.0 * k1, torque, push);
    const auto k3 = derivative(arm, x + h / 2.0 * k2, torque, push);
    const auto k4 = derivative(arm, x + h * k3, torque, push);
    x = x + h / 6.0 * (k1 + 2.0 * (k2 + k3) + k4);
  }
  return x;
}

}  // namespace pushed_detail

// The whole experiment, from the reference's own state on.
template <int Joints>
std::vector<PushedSample<Joints>> record(const PushedArm<Joints>& arm, std::uint64_t seed) {
  using Joint = JointVector<double, Joints>;
  constexpr double kVelocityCutOff = 80.0;  // Hz, of the controller
  Random position_noise(seed, "force.position"), torque_noise(seed, "force.torque");
  const auto noise = [](Random& random, double deviation) {
    return Joint(Joint::NullaryExpr([&](Eigen::Index) { return deviation * random.normal(); }));
  };
  pushed_detail::ArmState<Joints> x{arm.motion.derivative(0.0, 0), arm.motion.derivative(0.0, 1)};
  FilteredVelocity<double, Joints> velocity_filter(kVelocityCutOff, kPeriod, Joints);
  velocity_filter.start(x.position - kPeriod * x.velocity, x.velocity);
  std::vector<PushedSample<Joints>> samples;
  for (int k = 0; k < std::lround(kDuration / kPeriod); ++k) {
    const double time = k * kPeriod;
    const Joint q = arm.motion.derivative(time, 0), v = arm.motion.derivative(time, 1);
    const Joint feed_forward = inverse_dynamics(arm.robot, q, v, arm.motion.derivative(time, 2)) +
                               friction_torque(arm.robot.transmission(), arm.friction, v);
    const Joint measured = x.position + noise(position_noise, kPositionNoise);
    const Joint torque = feed_forward + arm.position_gain.cwiseProduct(q - measured) +
                         arm.velocity_gain.cwiseProduct(v - velocity_filter.step(measured));
    const Vector<double, 6> wrench = arm.wrench(time);
    samples.push_back({measured, torque + noise(torque_noise, kTorqueNoise), x.position, x.velocity, wrench});
    x = pushed_detail::advanced(arm, x, torque, {arm.frame, {wrench.head<3>(), wrench.tail<3>()}});
  }
  return samples;
}

}  // namespace tauhat::pyrhonen
