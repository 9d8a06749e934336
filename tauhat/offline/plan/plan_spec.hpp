// [plan]: what is to be told by a record that nobody has made yet, and what the drive may do for it.
#pragma once

#include <limits>
#include <string>

namespace tauhat {

struct PlanSpec {
  static constexpr double kFree = std::numeric_limits<double>::infinity();
  std::string quantity;   // the result whose interval is to be narrow
  double force = 0.0;     // N m, or N of an axis that slides: the largest input
  double speed = kFree;   // of the driven side, rad/s or m/s
  double travel = kFree;  // of the driven side, rad or m, from one end to the other
};

}  // namespace tauhat
