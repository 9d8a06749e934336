#include "tauhat/offline/robot/joint_trajectory.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tauhat/offline/error.hpp"
#include "tauhat/offline/log/csv.hpp"

namespace tauhat {

JointTrajectory::JointTrajectory(const std::string& path, const RobotSpec& robot) {
  std::vector<std::string> wanted{"time"};
  for (const RobotJoint& joint : robot.joints)
    for (const char* quantity : {"position", "velocity", "acceleration"})
      wanted.push_back(fmt::format("{}.{}", joint.name, quantity));
  const CsvTable table = read_csv(path, wanted);
  time_ = table.columns.front().values;
  for (std::size_t row = 0; row < time_.size(); ++row) {
    ReferencePoint<Eigen::Dynamic> point{JointValues(robot.count()), JointValues(robot.count()),
                                         JointValues(robot.count())};
    for (int j = 0; j < robot.count(); ++j) {
      const auto column = [&](std::size_t quantity) {
        return table.columns[1 + 3 * static_cast<std::size_t>(j) + quantity].values[row];
      };
      point.position[j] = column(0), point.velocity[j] = column(1), point.acceleration[j] = column(2);
    }
    const bool is_row = std::isfinite(time_[row]) && point.position.allFinite() && point.velocity.allFinite() &&
                        point.acceleration.allFinite();
    if (!is_row || (row > 0 && !(time_[row] > time_[row - 1])))
      throw Error(ExitCode::unusable_data, fmt::format("{}: row {} of the trajectory has an empty cell, or its time "
                                                       "does not advance",
                                                       path, row + 1));
    points_.push_back(std::move(point));
  }
  if (points_.size() < 2)
    throw Error(ExitCode::unusable_data, fmt::format("{}: a trajectory has at least two rows", path));
}

ReferencePoint<Eigen::Dynamic> JointTrajectory::at(double time) const {
  const double t = time + time_.front();
  const auto above = std::upper_bound(time_.begin() + 1, time_.end() - 1, t);
  const auto next = static_cast<std::size_t>(above - time_.begin());
  const ReferencePoint<Eigen::Dynamic>&a = points_[next - 1], &b = points_[next];
  const double h = time_[next] - time_[next - 1], s = std::clamp((t - time_[next - 1]) / h, 0.0, 1.0);
  const double late = s * s * (3.0 - 2.0 * s);
  const JointValues from_velocity = h * s * (1.0 - s) * ((1.0 - s) * a.velocity - s * b.velocity);
  return {(1.0 - late) * a.position + late * b.position + from_velocity, (1.0 - s) * a.velocity + s * b.velocity,
          (1.0 - s) * a.acceleration + s * b.acceleration};
}

}  // namespace tauhat
