#include "tauhat/offline/robot/joint_sensors.hpp"

#include <algorithm>

#include "tauhat/offline/robot/force_log.hpp"

namespace tauhat {
namespace {

std::vector<bool> at_motor(const std::vector<const StudyChannel*>& channels) {
  std::vector<bool> sides;
  for (const StudyChannel* channel : channels)
    sides.push_back(channel->spec.signal.find(".motor.") != std::string::npos);
  return sides;
}

// Deviations of independent readings, seen through a map.
JointValues deviations(const JointMap& map, const std::vector<const StudyChannel*>& channels) {
  constexpr double kLeast = 1e-9;  // rad, N m
  JointValues measured(map.cols());
  for (Eigen::Index i = 0; i < measured.size(); ++i)
    measured[i] = std::max(channels[static_cast<std::size_t>(i)]->std.value_or(0.0), kLeast);
  return map.cwiseAbs2().lazyProduct(measured.cwiseAbs2()).cwiseSqrt();
}

}  // namespace

JointSensors sensors_of(const Study& study) {
  const auto positions = position_channels(study), torques = torque_channels(study);
  JointSensors sensors;
  sensors.positions = measured_by_joints(*study.robot, at_motor(positions)).inverse();
  sensors.torques = joint_torque_by_measured(*study.robot, at_motor(torques), study.source);
  sensors.position_noise = deviations(sensors.positions, positions);
  sensors.torque_noise = deviations(sensors.torques, torques);
  JointValues gain_std(sensors.torques.cols());
  for (Eigen::Index i = 0; i < gain_std.size(); ++i) gain_std[i] = torques[static_cast<std::size_t>(i)]->gain_std;
  if (!gain_std.isZero(0.0)) sensors.torque_gain_std = sensors.torques * gain_std.asDiagonal();
  const auto velocities = velocity_channels(study);
  if (velocities.empty()) return sensors;
  sensors.velocities = measured_by_joints(*study.robot, at_motor(velocities)).inverse();
  sensors.velocity_noise = deviations(sensors.velocities, velocities);
  return sensors;
}

}  // namespace tauhat
