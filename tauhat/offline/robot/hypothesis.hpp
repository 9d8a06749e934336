// What is thought of a robot's record: how its positions and torques are to be multiplied to be right.
#pragma once

#include "tauhat/offline/robot/measured_side.hpp"

namespace tauhat {

// Of the joints, whatever side they were measured at.
struct Hypothesis {
  Eigen::MatrixXd position, torque;

  explicit Hypothesis(int joints) : position(Eigen::MatrixXd::Identity(joints, joints)), torque(position) {}
  bool is_as_recorded() const { return position.isIdentity(0.0) && torque.isIdentity(0.0); }
};

// The record as it is thought of.
RobotRecord multiplied(RobotRecord record, const Hypothesis& hypothesis);

enum class WrongSign { torque, position, either, both };

// The record's position and torque of a joint multiplied, each at the side where it was measured. At a motor that is
//   q_m = C q,  tau = C^T tau_m,  in the units of the gears' output
Hypothesis scaled(Hypothesis hypothesis, const RobotSpec& robot, const MotorSides& sides, int joint, double of_position,
                  double of_torque);
Hypothesis with_sign(const Hypothesis& hypothesis, const RobotSpec& robot, const MotorSides& sides, int joint,
                     WrongSign sign);
// A factor on the position of a motor, its inverse on its torque.
Hypothesis with_factor(const Hypothesis& hypothesis, const RobotSpec& robot, const MotorSides& sides, int joint,
                       double factor);

}  // namespace tauhat
