// Simulated logs of the TX40: a seeded Fourier motion within its limits, torques by inverse dynamics, friction with its
// memory and under its load, and noise.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "tauhat/core/robot/friction_under_load.hpp"
#include "tauhat/core/robot/inverse_dynamics.hpp"
#include "tauhat/offline/reproduce/tx40.hpp"
#include "tauhat/offline/robot/robot_spec.hpp"
#include "tauhat/offline/simulate/random.hpp"

namespace tauhat {

// The study's view of the arm: joints and friction by the same table.
inline RobotSpec tx40_spec() {
  RobotSpec spec;
  spec.robot = pyrhonen::tx40().cast<double, Eigen::Dynamic>();
  for (int i = 0; i < spec.count(); ++i) {
    const auto& row = pyrhonen::kTable[static_cast<std::size_t>(i)];
    RobotJoint joint;
    joint.name = joint.link = "joint" + std::to_string(i + 1);
    joint.friction = {row.viscous, row.coulomb, 0.0};
    spec.joints.push_back(joint);
  }
  return spec;
}

// One joint's motion: five harmonics of a period of 10 s.
struct FourierMotion {
  std::array<double, 5> sine{}, cosine{};
  double middle = 0.0;

  struct At {
    double position, velocity, acceleration;
  };
  At at(double time) const {
    At now{middle, 0.0, 0.0};
    for (std::size_t l = 0; l < sine.size(); ++l) {
      const double w = 2.0 * std::numbers::pi / 10.0 * static_cast<double>(l + 1);
      const double s = std::sin(w * time), c = std::cos(w * time);
      now.position += (sine[l] * s - cosine[l] * c) / w;
      now.velocity += sine[l] * c + cosine[l] * s;
      now.acceleration += w * (cosine[l] * c - sine[l] * s);
    }
    return now;
  }
  void scale(double factor) {
    for (double& each : sine) each *= factor;
    for (double& each : cosine) each *= factor;
  }
};

inline FourierMotion random_motion(Random& random, double position, double velocity, double acceleration) {
  FourierMotion motion;
  for (double& each : motion.sine) each = random.normal();
  for (double& each : motion.cosine) each = random.normal();
  FourierMotion::At largest{0.0, 0.0, 0.0};
  for (int k = 0; k < 1000; ++k) {
    const auto now = motion.at(0.01 * k);
    largest.position = std::max(largest.position, std::abs(now.position));
    largest.velocity = std::max(largest.velocity, std::abs(now.velocity));
    largest.acceleration = std::max(largest.acceleration, std::abs(now.acceleration));
  }
  motion.scale(
      std::min({position / largest.position, velocity / largest.velocity, acceleration / largest.acceleration}));
  motion.middle = 0.2 * random.normal();
  return motion;
}

// 10 s at 1 kHz. The noise is in rad and N m.
inline RobotRecord tx40_record(std::uint64_t seed, double position_noise, double torque_noise,
                               const RobotSpec& spec = tx40_spec()) {
  const auto friction = friction_of(spec);
  constexpr std::array<double, 6> kPosition{2.1, 1.3, 1.5, 2.1, 1.3, 2.1}, kVelocity{3.7, 3.7, 5.6, 5.3, 4.2, 9.1},
      kAcceleration{10, 10, 15, 20, 20, 30};  // rad, rad/s, rad/s^2
  Random path(seed, "motion"), noise(seed, "noise");
  std::vector<FourierMotion> motions;
  for (std::size_t j = 0; j < 6; ++j)
    motions.push_back(random_motion(path, kPosition[j], kVelocity[j], kAcceleration[j]));
  RobotRecord record;
  record.source = "simulated";
  record.period = 1e-3;
  record.position.resize(6), record.torque.resize(6);
  using Joint = JointVector<double, Eigen::Dynamic>;
  Joint q(6), v(6), a(6), before = Joint::Zero(6);
  const auto& transmission = spec.robot.transmission();
  auto memory = no_memory(friction);
  for (int k = 0; k < 10000; ++k) {
    for (int j = 0; j < 6; ++j) {
      const auto now = motions[static_cast<std::size_t>(j)].at(1e-3 * k);
      q[j] = now.position, v[j] = now.velocity, a[j] = now.acceleration;
    }
    const Joint load = inverse_dynamics(spec.robot, q, v, a), w = transmission.actuator_motion(v);
    if (k > 0) memory = memory_after(friction, Joint(0.5 * (before + w)), memory, 1e-3);
    before = w;
    auto taken = torque_and_slope(friction, w, memory);
    add_friction_of_load(friction, w, load, taken);
    const Joint torque = load + transmission.joint_torque(taken.torque);
    for (int j = 0; j < 6; ++j) {
      record.position[static_cast<std::size_t>(j)].push_back(q[j] + position_noise * noise.normal());
      record.torque[static_cast<std::size_t>(j)].push_back(torque[j] + torque_noise * noise.normal());
    }
  }
  return record;
}

}  // namespace tauhat
