// The arm of the robots' loops: three joints, and a tool to push at.
#pragma once

#include "tauhat/core/robot/robot.hpp"

template <class T, int Joints>
tauhat::Robot<T, Joints> three_joint_arm() noexcept {
  constexpr T kRightAngle = T(1.5707963267948966);
  tauhat::Robot<T, Joints> arm(3);
  for (int i = 0; i < 3; ++i) {
    const tauhat::ModifiedDh<T> row{i == 1 ? kRightAngle : T(0), i == 2 ? T(0.4) : T(0), T(0), T(0)};
    arm.set_joint(i, tauhat::Joint<T>(i - 1, tauhat::JointType::revolute, row.placement()));
    const tauhat::Placement<T> centre{tauhat::Matrix<T, 3>::Identity(), {T(0.2), T(0), T(0.02)}};
    const tauhat::Matrix<T, 3> moment = tauhat::Vector<T, 3>(T(0.01), T(0.03), T(0.03)).asDiagonal();
    arm.set_link(i, tauhat::LinkInertia<T>::from_centre_of_mass(T(3), centre, moment));
    arm.actuator_inertia()[i] = T(0.1);
  }
  arm.add_frame("tool", 2, {tauhat::Matrix<T, 3>::Identity(), {T(0.4), T(0), T(0)}});
  return arm;
}
