#include "tauhat/offline/robot/shape_ranges.hpp"

#include <algorithm>
#include <cmath>

#include "tauhat/offline/quantile.hpp"

namespace tauhat {
namespace {

using Records = std::vector<RobotRecord>;

// Of each actuator, over some records: the speed that it exceeds in a hundredth of the time, and how far it goes.
struct Motion {
  double speed = 0.0, span = 0.0;
};

std::vector<Motion> motion_of(const RobotSpec& robot, const RobotRecord& record) {
  constexpr double kOver = 0.02;  // s
  const auto steps = static_cast<std::size_t>(std::max(1.0, std::round(kOver / record.period)));
  const auto joints = static_cast<std::size_t>(robot.count());
  std::vector<std::vector<double>> speeds(joints);
  JointValues before(robot.count()), least, most;
  for (std::size_t k = 0; k < record.samples(); k += steps) {
    JointValues position(robot.count());
    for (std::size_t j = 0; j < joints; ++j) position[static_cast<int>(j)] = record.position[j][k];
    const JointValues actuator = robot.robot.transmission().actuator_motion(position);
    if (k == 0) before = least = most = actuator;
    for (std::size_t j = 0; k > 0 && j < joints; ++j) {
      const auto i = static_cast<int>(j);
      speeds[j].push_back(std::abs(actuator[i] - before[i]) / (static_cast<double>(steps) * record.period));
    }
    before = actuator, least = least.cwiseMin(actuator).eval(), most = most.cwiseMax(actuator).eval();
  }
  std::vector<Motion> motion;
  for (std::size_t j = 0; j < joints; ++j) {
    const auto i = static_cast<int>(j);
    motion.push_back({speeds[j].empty() ? 0.0 : quantile_in_place(speeds[j], 0.99), most[i] - least[i]});
  }
  return motion;
}

std::vector<Motion> motion_of(const RobotSpec& robot, const Records& records) {
  std::vector<Motion> all(robot.joints.size());
  for (const RobotRecord& record : records) {
    const std::vector<Motion> own = motion_of(robot, record);
    for (std::size_t j = 0; j < all.size(); ++j)
      all[j] = {std::max(all[j].speed, own[j].speed), std::max(all[j].span, own[j].span)};
  }
  return all;
}

}  // namespace

std::vector<ShapeRange> decay_ranges(const RobotSpec& robot, const Records& records) {
  std::vector<ShapeRange> ranges;
  for (const Motion& motion : motion_of(robot, records)) {
    const double most = 2.0 / robot.terms.width;
    ranges.push_back({std::min(motion.speed > 0.0 ? 1.0 / motion.speed : most, most), most});
  }
  return ranges;
}

std::vector<ShapeRange> reach_ranges(const RobotSpec& robot, const Records& records) {
  constexpr double kJump = 1e-4, kHalf = 0.5, kLeast = 1e-9;
  std::vector<ShapeRange> ranges;
  for (const Motion& motion : motion_of(robot, records)) {
    const double span = std::max(motion.span, kLeast);
    ranges.push_back({kJump * span, kHalf * span});
  }
  return ranges;
}

}  // namespace tauhat
