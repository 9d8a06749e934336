// The plant of Pyrhonen's force experiments, for arms of any fixed number of joints: controlled_arm.hpp with the
// set-up's sampling and noise.
#pragma once

#include <functional>
#include <vector>

#include "tauhat/offline/robot/controlled_arm.hpp"
#include "tauhat/offline/simulate/random.hpp"

namespace tauhat::pyrhonen {

inline constexpr double kPeriod = 1e-3, kDuration = 8.0;                 // s
inline constexpr int kSubsteps = 20;                                     // of the plant: 50 us
inline constexpr double kPositionNoise = 1.745e-5, kTorqueNoise = 0.05;  // rad, N m

template <int Joints>
using ReferenceMotion = JointSines<Joints>;

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

// The whole experiment, from the reference's own state on.
template <int Joints>
std::vector<PushedSample<Joints>> record(const PushedArm<Joints>& pushed, std::uint64_t seed) {
  using Joint = JointVector<double, Joints>;
  Random position_noise(seed, "force.position"), torque_noise(seed, "force.torque");
  const auto noise = [](Random& random, double deviation) {
    return Joint(Joint::NullaryExpr([&](Eigen::Index) { return deviation * random.normal(); }));
  };
  ControlledArm<Joints> arm;
  arm.robot = pushed.robot, arm.friction = pushed.friction;
  arm.reference = [&](double time) { return pushed.motion.at(time); };
  arm.position_gain = pushed.position_gain, arm.velocity_gain = pushed.velocity_gain;
  arm.frame = pushed.frame, arm.wrench = pushed.wrench;
  arm.encoders = [&](const Joint& position) { return Joint(position + noise(position_noise, kPositionNoise)); };
  arm.period = kPeriod, arm.substeps = kSubsteps;
  std::vector<PushedSample<Joints>> samples;
  run_arm(arm, static_cast<std::size_t>(std::lround(kDuration / kPeriod)), [&](std::size_t, const auto& at) {
    samples.push_back(
        {at.measured_position, at.torque + noise(torque_noise, kTorqueNoise), at.position, at.velocity, at.wrench});
    return true;
  });
  return samples;
}

}  // namespace tauhat::pyrhonen
