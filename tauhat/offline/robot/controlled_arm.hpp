// An arm that follows a motion under its controller while something pushes it: what `simulate` and the papers' force
// experiments integrate.
//   tau = feed-forward + Kp (q_ref - q_m) + Kd (v_ref - v_m),  q_m what the encoders say, v_m its filtered difference
// Torque and push are held over a sample; between samples Runge and Kutta's fourth order.
#pragma once

#include <cstddef>
#include <functional>

#include "tauhat/core/robot/filtered_velocity.hpp"
#include "tauhat/core/robot/forward_dynamics.hpp"
#include "tauhat/core/robot/friction_under_load.hpp"
#include "tauhat/core/robot/inverse_dynamics.hpp"
#include "tauhat/offline/robot/joint_sines.hpp"

namespace tauhat {

template <int Joints>
struct ControlledArm {
  using Joint = JointVector<double, Joints>;
  Robot<double, Joints> robot;
  JointFriction<double, Joints> friction;
  std::function<ReferencePoint<Joints>(double time)> reference;
  Joint position_gain, velocity_gain;
  Frame<double> frame;  // where it is pushed
  WrenchAxes axes = WrenchAxes::world;
  std::function<Vector<double, 6>(double time)> wrench;  // N, N m
  std::function<Joint(const Joint& position)> encoders;  // what the controller reads of the positions
  double period = 1e-3;                                  // s
  int substeps = 20;                                     // of a period
  double velocity_cut_off = 80.0;                        // Hz, of the controller
};

template <int Joints>
struct ArmSample {
  using Joint = JointVector<double, Joints>;
  Joint measured_position, torque, position, velocity;
  Vector<double, 6> wrench;  // held until the next sample, as the torque is
};

namespace controlled_arm_detail {

template <int Joints>
struct ArmState {
  JointVector<double, Joints> position, velocity;
  friend ArmState operator+(const ArmState& a, const ArmState& b) {
    return {a.position + b.position, a.velocity + b.velocity};
  }
  friend ArmState operator*(double factor, const ArmState& a) { return {factor * a.position, factor * a.velocity}; }
};

template <int Joints>
ArmState<Joints> derivative(const ControlledArm<Joints>& arm, const ArmState<Joints>& x,
                            const FrictionMemory<double, Joints>& memory, const JointVector<double, Joints>& torque,
                            const ExternalWrench<double>& push) {
  const JointVector<double, Joints> acting =
      torque - friction_torque(arm.robot.transmission(), arm.friction, x.velocity, memory, torque);
  return {x.velocity, forward_dynamics(arm.robot, x.position, x.velocity, acting, push).acceleration};
}

// One sampling period. What friction remembers follows step by step: held over one, it bends by less than a hundredth
// of its reach.
template <int Joints>
ArmState<Joints> advanced(const ControlledArm<Joints>& arm, ArmState<Joints> x, FrictionMemory<double, Joints>& memory,
                          const JointVector<double, Joints>& torque, const ExternalWrench<double>& push) {
  const bool bends = bends_anywhere(arm.friction);
  const double h = arm.period / arm.substeps;
  for (int i = 0; i < arm.substeps; ++i) {
    const auto k1 = derivative(arm, x, memory, torque, push);
    const auto k2 = derivative(arm, x + h / 2.0 * k1, memory, torque, push);
    const auto k3 = derivative(arm, x + h / 2.0 * k2, memory, torque, push);
    const auto k4 = derivative(arm, x + h * k3, memory, torque, push);
    x = x + h / 6.0 * (k1 + 2.0 * (k2 + k3) + k4);
    if (bends) memory = memory_after(arm.friction, arm.robot.transmission().actuator_motion(x.velocity), memory, h);
  }
  return x;
}

}  // namespace controlled_arm_detail

// From the reference's own state on; `each(k, sample)` takes the samples, and returns false to end the run.
template <int Joints, class Each>
void run_arm(const ControlledArm<Joints>& arm, std::size_t samples, Each&& each) {
  using Joint = JointVector<double, Joints>;
  const ReferencePoint<Joints> start = arm.reference(0.0);
  controlled_arm_detail::ArmState<Joints> x{start.position, start.velocity};
  FrictionMemory<double, Joints> memory = no_memory(arm.friction);
  FilteredVelocity<double, Joints> velocity_filter(arm.velocity_cut_off, arm.period, arm.robot.joints());
  velocity_filter.start(x.position - arm.period * x.velocity, x.velocity);
  for (std::size_t k = 0; k < samples; ++k) {
    const double time = static_cast<double>(k) * arm.period;
    const ReferencePoint<Joints> wanted = arm.reference(time);
    const Joint load = inverse_dynamics(arm.robot, wanted.position, wanted.velocity, wanted.acceleration);
    const Joint feed_forward = load + friction_of_load(arm.robot.transmission(), arm.friction, wanted.velocity, load);
    const Joint measured = arm.encoders(x.position);
    const Joint torque = feed_forward + arm.position_gain.cwiseProduct(wanted.position - measured) +
                         arm.velocity_gain.cwiseProduct(wanted.velocity - velocity_filter.step(measured));
    const Vector<double, 6> wrench = arm.wrench(time);
    if (!each(k, ArmSample<Joints>{measured, torque, x.position, x.velocity, wrench})) return;
    x = controlled_arm_detail::advanced(arm, x, memory, torque,
                                        {arm.frame, {wrench.head<3>(), wrench.tail<3>()}, arm.axes});
  }
}

}  // namespace tauhat
