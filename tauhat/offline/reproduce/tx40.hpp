// The arm of Pyrhonen, Mikkola and Naets: a Staubli TX40 in modified Denavit-Hartenberg frames, with the inertias, the
// actuators and the friction of the BIRDy benchmark's model (its code, where its comment disagrees). The coupling of
// its wrist is left out, as in the paper.
#pragma once

#include <array>
#include <numbers>

#include "tauhat/core/robot/robot.hpp"

namespace tauhat::pyrhonen {

inline constexpr int kJoints = 6;
using Arm = Robot<double, kJoints>;

struct ArmRow {
  double alpha, a, d, theta;        // rad, m
  std::array<double, 10> inertial;  // Ixx Ixy Ixz Iyy Iyz Izz mX mY mZ m, about the joint's frame
  double actuator_inertia;          // kg m^2
  double viscous, coulomb;          // N m s/rad, N m
  double ratio;
};

inline constexpr double kBaseHeight = 0.32, kFlangeDistance = 0.065;  // m, of joint 1 above the floor; along z6
inline constexpr double kRightAngle = std::numbers::pi / 2.0;

inline constexpr std::array<ArmRow, kJoints> kTable{{
    {0.0,
     0.0,
     kBaseHeight,
     0.0,
     {0.424, 0.0, 0.0, 0.424, 0.0, 0.352, 0.0, 0.0, -0.4305, 8.61},
     0.362,
     7.9379,
     6.9822,
     32.0},
    {-kRightAngle,
     0.0,
     0.0,
     -kRightAngle,
     {0.0163, 7.85e-4, -0.0157, 0.0881, 3.24e-4, 0.0828, 0.392, -0.0072, 0.162, 4.85},
     0.507,
     5.6948,
     7.8301,
     32.0},
    {0.0,
     0.225,
     0.035,
     kRightAngle,
     {0.0223, -1.95e-4, -1.16e-3, 0.0224, -2.22e-3, 4.41e-3, 0.0326, 0.0244, 0.265, 4.07},
     0.0829,
     1.9804,
     6.1939,
     45.0},
    {kRightAngle,
     0.0,
     0.225,
     0.0,
     {0.109, 2.9e-5, 1.35e-3, 0.108, -1.17e-3, 4.07e-3, 0.0145, -0.00724, -0.586, 3.62},
     0.0341,
     1.1141,
     2.4063,
     48.0},
    {-kRightAngle,
     0.0,
     0.0,
     0.0,
     {1.01e-3, 0.0, 0.0, 1.00e-3, -3.06e-6, 1.01e-3, 0.0, -0.00306, -0.00102, 1.02},
     0.0361,
     1.60,
     3.4092,
     45.0},
    {kRightAngle,
     0.0,
     0.0,
     std::numbers::pi,
     {3.53e-3, 0.0, 0.0, 3.53e-3, 0.0, 3.53e-4, 0.0, 0.0, 0.0084, 0.20},
     0.0114,
     0.6894,
     1.8313,
     32.0},
}};

inline Arm tx40() {
  Arm arm;
  Arm::Vector ratio;
  for (int i = 0; i < kJoints; ++i) {
    const ArmRow& row = kTable[static_cast<std::size_t>(i)];
    const ModifiedDh<double> dh{row.alpha, row.a, row.d, row.theta};
    arm.set_joint(i, Joint<double>(i - 1, JointType::revolute, dh.placement()));
    arm.set_link(i, LinkInertia<double>::from_parameters(Vector<double, 10>(row.inertial.data())));
    arm.actuator_inertia()[i] = row.actuator_inertia;
    ratio[i] = row.ratio;
  }
  arm.transmission() = {ratio, Arm::Matrix::Identity()};
  arm.add_frame("flange", kJoints - 1, {Matrix<double, 3>::Identity(), {0.0, 0.0, kFlangeDistance}});
  return arm;
}

}  // namespace tauhat::pyrhonen
