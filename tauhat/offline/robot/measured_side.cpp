#include "tauhat/offline/robot/measured_side.hpp"

#include <fmt/format.h>

#include "tauhat/offline/error.hpp"

namespace tauhat {

JointMap measured_by_joints(const RobotSpec& robot, const std::vector<bool>& at_motor) {
  const auto& transmission = robot.robot.transmission();
  JointMap map = JointMap::Identity(robot.count(), robot.count());
  for (int i = 0; i < robot.count(); ++i)
    if (at_motor[static_cast<std::size_t>(i)]) map.row(i) = transmission.ratio()[i] * transmission.coupling().row(i);
  return map;
}

JointMap joint_torque_by_measured(const RobotSpec& robot, const std::vector<bool>& at_motor,
                                  const std::string& source) {
  const auto& transmission = robot.robot.transmission();
  JointMap map = JointMap::Identity(robot.count(), robot.count());
  for (int joint = 0; joint < robot.count(); ++joint) {
    if (!at_motor[static_cast<std::size_t>(joint)]) continue;
    map.row(joint) = transmission.coupling().col(joint).cwiseProduct(transmission.ratio()).transpose();
    for (int motor = 0; motor < robot.count(); ++motor) {
      if (map(joint, motor) == 0.0 || at_motor[static_cast<std::size_t>(motor)]) continue;
      throw Error(ExitCode::wrong_use,
                  fmt::format("{}: the torque of {} is its motor's, and the motor of {} acts on it, too: name {}.motor."
                              "torque in [log.channels]",
                              source, robot.joints[static_cast<std::size_t>(joint)].name,
                              robot.joints[static_cast<std::size_t>(motor)].name,
                              robot.joints[static_cast<std::size_t>(motor)].name));
    }
  }
  return map;
}

JointValues mapped(const JointMap& map, const JointValues& values) noexcept {
  JointValues result = JointValues::Zero(map.rows());
  for (Eigen::Index i = 0; i < map.rows(); ++i) {
    for (Eigen::Index j = 0; j < map.cols(); ++j) {
      if (map(i, j) != 0.0) result[i] += map(i, j) * values[j];
    }
  }
  return result;
}

}  // namespace tauhat
