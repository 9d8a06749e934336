// How the TX40 moves while it is pushed: two sines a joint, as the paper's experiment has them.
#pragma once

#include <algorithm>
#include <initializer_list>
#include <numbers>

#include "tauhat/offline/robot/joint_sines.hpp"

namespace tauhat {

// `Joints` is 6 or Eigen::Dynamic.
template <int Joints>
JointSines<Joints> contact_motion() {
  constexpr double kDegree = std::numbers::pi / 180.0, kTurn = 2.0 * std::numbers::pi;
  const auto joints = [](std::initializer_list<double> values) {
    JointVector<double, Joints> of_all(6);
    std::copy(values.begin(), values.end(), of_all.begin());
    return of_all;
  };
  return {kDegree * joints({10.0, 20.0, 80.0, 15.0, 60.0, 20.0}), joints({0.5, 0.3, 0.3, 0.5, 0.35, 0.8}),
          kTurn * joints({0.23, 0.31, 0.37, 0.29, 0.41, 0.33}), joints({0.3, 1.1, 2.0, 0.7, 1.7, 2.6})};
}

}  // namespace tauhat
