// A motion of all joints by two sines each, joint by joint:
//   q = middle + amplitude sin(w t + phase) + 0.3 amplitude sin(2.3 w t)
#pragma once

#include <cmath>
#include <numbers>

#include "tauhat/core/robot/sizes.hpp"

namespace tauhat {

// Where a controller wants the joints to be, how fast, and how it accelerates them.
template <int Joints>
struct ReferencePoint {
  JointVector<double, Joints> position, velocity, acceleration;
};

template <int Joints>
struct JointSines {
  using Joint = JointVector<double, Joints>;
  static constexpr double kOvertone = 2.3, kShare = 0.3;

  Joint middle, amplitude, rate, phase;  // rad, rad, rad/s, rad

  // The largest of position about the middle, velocity and acceleration are not above amplitude times rate^order times
  // this.
  static double bound(int order) noexcept { return 1.0 + kShare * std::pow(kOvertone, order); }

  // The derivative of this order.
  Joint derivative(double time, int order) const {
    constexpr double kQuarter = std::numbers::pi / 2.0;
    Joint value = order == 0 ? middle : Joint(Joint::Zero(middle.size()));
    for (Eigen::Index i = 0; i < middle.size(); ++i) {
      const double w = rate[i], turn = order * kQuarter;  // each derivative leads by a quarter
      value[i] += amplitude[i] * std::pow(w, order) *
                  (std::sin(w * time + phase[i] + turn) +
                   kShare * std::pow(kOvertone, order) * std::sin(kOvertone * w * time + turn));
    }
    return value;
  }
  ReferencePoint<Joints> at(double time) const {
    return {derivative(time, 0), derivative(time, 1), derivative(time, 2)};
  }
};

}  // namespace tauhat
