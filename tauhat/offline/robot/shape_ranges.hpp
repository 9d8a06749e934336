// Between which edges a robot's motion tells how fast friction falls, and how far its contacts bend.
#pragma once

#include <vector>

#include "tauhat/offline/robot/robot_spec.hpp"

namespace tauhat {

// Of a decay or a reach: beyond its edges a motion does not tell it.
struct ShapeRange {
  double least, most;
  bool is_least(double value) const { return value <= least * 1.01; }
  bool is_most(double value) const { return value >= most / 1.01; }
};

// One for each joint, in s/rad (s/m): what falls more slowly than the fastest speed is viscous friction, what falls
// faster than the sign changes is none.
std::vector<ShapeRange> decay_ranges(const RobotSpec& robot, const std::vector<RobotRecord>& records);

// In rad (m): what bends by less than a ten-thousandth of the way is a jump, what bends by half of it never slides.
std::vector<ShapeRange> reach_ranges(const RobotSpec& robot, const std::vector<RobotRecord>& records);

}  // namespace tauhat
