// The observers of a joint behind the face that commands work with.
#pragma once

#include <algorithm>
#include <array>
#include <memory>

#include "tauhat/offline/joint/joint_spec.hpp"
#include "tauhat/offline/replay/estimator.hpp"

namespace tauhat {

// What every one of them gives, first and in this order; what its model has beside follows. The motor's position is
// its sensor. A sample of load.torque is no measurement: it says what is known to act beside gravity, until the next.
// Samples of all others are for comparison, and left alone.
enum JointOutput {
  joint_motor_position,
  joint_load_position,
  joint_motor_velocity,
  joint_load_velocity,
  joint_load_torque,
  kJointOutputs
};
inline constexpr std::array<Signal, kJointOutputs> kJointSignals{{{"motor.position", "rad"},
                                                                  {"load.position", "rad"},
                                                                  {"motor.velocity", "rad/s"},
                                                                  {"load.velocity", "rad/s"},
                                                                  {"load.torque", "N m"}}};

// Channels that are no outputs either say what is known: what acts at the neighbour, and where the pose is.
enum JointKnown {
  joint_neighbour_torque = kJointOutputs,
  joint_pose_position,
  joint_pose_velocity,
  joint_pose_acceleration,
  kJointChannels
};
inline constexpr auto kJointChannelSignals = [] {
  std::array<Signal, kJointChannels> signals{};
  for (std::size_t i = 0; i < kJointSignals.size(); ++i) signals[i] = kJointSignals[i];
  signals[joint_neighbour_torque] = {"neighbour.torque", "N m"};
  for (std::size_t i = 0; i < kPoseSignals.size(); ++i) signals[joint_pose_position + i] = kPoseSignals[i];
  return signals;
}();
// Whether the channel says what is known, and measures nothing.
constexpr bool is_known_input(int channel) noexcept {
  return channel == joint_load_torque || channel >= joint_neighbour_torque;
}

// Of a record of a joint, which has it: studies without are refused.
inline const Timeline::Sensor& motor_sensor(const Timeline& record) {
  return *std::find_if(record.sensors.begin(), record.sensors.end(),
                       [](const Timeline::Sensor& sensor) { return sensor.output == joint_motor_position; });
}

// The input is motor.torque. Throws Error (wrong_use) that says why, and what would help, where the observer cannot be
// designed.
std::unique_ptr<Estimator> make_joint_estimator(const JointSpec& spec, const ObserverSpec& observer, double period,
                                                double sensor_variance);

int states_of(const JointSpec& spec, const ObserverSpec& observer);

// What the design gave: gains, poles, and how sure they are.
struct ObserverDesign {
  std::vector<std::string> states;
  std::vector<double> gain;                  // of the predictor, one per state
  std::vector<std::array<double, 2>> poles;  // Hz, damping
  double radius = 0.0;                       // of the observer's error, per sample
  double residual = 0.0;                     // of the Riccati equation, where there is one
};
ObserverDesign design_of(const JointSpec& spec, const ObserverSpec& observer, double period, double sensor_variance);

}  // namespace tauhat
