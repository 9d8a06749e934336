// What a robot must be before its dynamics mean anything; asked once, when it is built. (Inertias need not be physical:
// identified base parameters are not.)
#pragma once

#include <cmath>

#include "tauhat/core/robot/robot.hpp"

namespace tauhat {

enum class RobotFault {
  none,
  parent_not_before_child,
  axis_not_unit,
  placement_not_a_rotation,
  not_finite,
  ratio_is_zero,
};

struct RobotCheck {
  RobotFault fault = RobotFault::none;
  int joint = kBase;  // the first that has it

  bool passed() const noexcept { return fault == RobotFault::none; }
};

template <class T>
bool is_rotation(const Matrix<T, 3>& r, T tolerance) noexcept {
  const bool orthonormal = ((r.transpose() * r - Matrix<T, 3>::Identity()).cwiseAbs().maxCoeff()) <= tolerance;
  return orthonormal && r.determinant() > T(0);
}

template <class T, int Joints>
RobotCheck check(const Robot<T, Joints>& robot) noexcept {
  const T tolerance = std::sqrt(Eigen::NumTraits<T>::epsilon());
  for (int i = 0; i < robot.joints(); ++i) {
    const Joint<T>& joint = robot.joint(i);
    if (joint.parent() < kBase || joint.parent() >= i) return {RobotFault::parent_not_before_child, i};
    const auto& transmission = robot.transmission();
    const T sum = joint.placement().translation.sum() + robot.link(i).parameters().sum() + robot.actuator_inertia()[i] +
                  transmission.ratio()[i] + transmission.coupling().row(i).sum();
    if (!std::isfinite(sum)) return {RobotFault::not_finite, i};
    if (!(std::abs(joint.axis().squaredNorm() - T(1)) <= tolerance)) return {RobotFault::axis_not_unit, i};
    if (!is_rotation(joint.placement().rotation, tolerance)) return {RobotFault::placement_not_a_rotation, i};
    if (transmission.ratio()[i] == T(0)) return {RobotFault::ratio_is_zero, i};
  }
  if (!robot.gravity.allFinite()) return {RobotFault::not_finite, kBase};
  return {};
}

}  // namespace tauhat
