// A motion of all joints from a file: time, and each joint's position, velocity and acceleration in SI, as `excite`
// writes them. Between its rows positions follow Hermite's cubics, the rest straight lines.
#pragma once

#include <string>
#include <vector>

#include "tauhat/offline/robot/joint_sines.hpp"
#include "tauhat/offline/robot/robot_spec.hpp"

namespace tauhat {

class JointTrajectory {
 public:
  // Throws Error (unusable_data) naming the file, and the column that is missing or the row that is none.
  JointTrajectory(const std::string& path, const RobotSpec& robot);

  double duration() const noexcept { return time_.back() - time_.front(); }
  // From its first row on.
  ReferencePoint<Eigen::Dynamic> at(double time) const;

 private:
  std::vector<double> time_;
  std::vector<ReferencePoint<Eigen::Dynamic>> points_;
};

}  // namespace tauhat
