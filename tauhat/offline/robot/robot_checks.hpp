// Whether positions and torques of a robot's log belong together, joint by joint: clocks, signs, gear ratios.
//
// Delay: each joint's torque is fitted by its own rows of the regression, shifted to and fro; the best shift is the
//   delay (the maximum of the correlation of predicted and measured torque).
// Sign: friction takes energy. A joint whose fitted friction gives some has its torque or its position the wrong way
//   round; the fit of all joints together tells which.
// Ratio: a factor on a motor's position, and its inverse on its torque, that lets the robot's equations hold. What is
//   known of the inertias counts, as well as it may be known; where friction changes its sign nothing is counted, since
//   its width would be taken for a ratio. A log of the joints themselves has gone through the ratio before: there a
//   factor on either is looked for, and only the record speaks for it. A ratio that nothing but inertia and friction
//   depend on, that of a spindle or of an axis without weight, is not told by a record: that is said, with those that
//   would do as well.
#pragma once

#include <optional>
#include <vector>

#include "tauhat/offline/report/diagnostic.hpp"
#include "tauhat/offline/robot/measured_side.hpp"
#include "tauhat/offline/robot/own_rows_check.hpp"

namespace tauhat {

enum class WrongSign { torque, position, either, both };

struct JointCheck {
  OwnCheck own;
  std::optional<WrongSign> sign;
  std::optional<double> ratio;    // that fits instead of the study's
  bool ratio_by_inertia = false;  // only what is known of the inertias speaks for it
  // Where the log does not tell a gear from the next: the ratios that other inertias and friction would do as well
  // with.
  struct Range {
    double lower, upper;
  };
  std::optional<Range> ratio_range;
  // Where they are the joint's own: by which they would have to be multiplied.
  std::optional<double> position_factor, torque_factor;
};

std::vector<JointCheck> check_joints(const RobotSpec& robot, const RobotRecord& record, const MotorSides& sides);

// One sentence for each thing that is wrong, with what to write in the study.
std::vector<Diagnostic> joint_diagnostics(const RobotSpec& robot, const MotorSides& sides,
                                          const std::vector<JointCheck>& checks);

}  // namespace tauhat
