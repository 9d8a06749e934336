// The elastic joint of the grid of its link's velocity, and a record of it: shaken by many sines and by the noise that
// its study says, with more in it than the study knows.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "tauhat/offline/study/study.hpp"

namespace tauhat::limits {

// As studies/elastic-joint, without the neighbour.
inline constexpr const char* kJointStudy = R"toml(
[drive]
model = "elastic-joint"
motor.inertia = 7e-4
motor.viscous = 0.008
transmission = { ratio = 120, stiffness = 1.2e5, damping = 80 }
load = { inertia = 14.4, viscous = 2 }
[[observer]]
name = "kalman"
kind = "kalman"
neighbour = false
motor_disturbance = { intensity = 0.2, leak = "0.2 Hz" }
noise = { motor = 1e-3, load = 0.32 }
[estimator]
observer = "kalman"
[log]
time = { column = "time", unit = "s" }
[log.channels]
"motor.torque" = { column = "torque", unit = "N m" }
"motor.position" = { column = "motor", unit = "rad", std = 1e-5 }
)toml";

struct LinkInstant {
  double time, motor_position, motor_velocity, load_position, load_velocity;
};

// What is true, and how it is logged.
struct HostileJoint {
  Study study = parse_study(kJointStudy, "study");
  ElasticJoint<double> truth = without_neighbour(study.joint->joint);
  std::function<double(const LinkInstant&)> at_motor = [](const LinkInstant&) { return 0.0; };  // N m, against it
  std::function<double(const LinkInstant&)> at_load = at_motor;
  double hardening = 0.0;     // of the spring: times the twist's square over that of 1 mrad
  double gap = 0.0;           // rad, at the load
  double torque_gain = 1.0;   // of the log's, over what acts
  int torque_late = 0;        // samples
  double torque_limit = 0.0;  // N m that the drive gives at most, unlogged
  double noise = 1e-5, resolution = 0.0, jitter = 0.0, dropout = 0.0;  // rad, rad, of a period, share

  static ElasticJoint<double> without_neighbour(ElasticJoint<double> joint) {
    joint.coupling_inertia = 0.0, joint.neighbour_inertia = 1.0, joint.neighbour_stiffness = 1e4;
    joint.neighbour_damping = 10.0;
    return joint;
  }
};

struct JointRecord {
  std::vector<double> time, torque, position, velocity;  // as logged; the last is true, of the link
};

JointRecord joint_record(const HostileJoint& joint, std::uint64_t seed);

}  // namespace tauhat::limits
