// Whether positions and torques of a robot's log belong together, joint by joint: clocks, signs, gear ratios.
//
// Delay: each joint's torque is fitted by its own rows of the regression, shifted to and fro; the best shift is the
//   delay (the maximum of the correlation of predicted and measured torque).
// Sign: friction takes energy. A joint whose fitted friction gives some has its torque or its position the wrong way
//   round; the fit of all joints together, in which no friction may give any, tells which, and sees it where the wrong
//   position spoils the joint's own rows.
// Ratio: a factor on a motor's position, and its inverse on its torque, that lets the robot's equations hold. What is
//   known of the inertias counts, as well as it may be known; where friction changes its sign nothing is counted, since
//   its width would be taken for a ratio. A log of the joints themselves has gone through the ratio before: there a
//   factor on either is looked for, and only the record speaks for it. A ratio that nothing but inertia and friction
//   depend on, that of a spindle, of an axis without weight or of a light last joint, is not told by a record, or not
//   to the next gear: that is said, with those that would do as well. So of both signs of such a joint: a weight is
//   never less than nothing, but where none depends on the joint, nothing tells them.
#pragma once

#include <optional>
#include <vector>

#include "tauhat/offline/robot/hypothesis.hpp"
#include "tauhat/offline/robot/own_rows_check.hpp"

namespace tauhat {

struct JointCheck {
  OwnCheck own;
  std::optional<WrongSign> sign;
  std::optional<double> ratio;    // that fits instead of the study's
  bool ratio_by_inertia = false;  // only what is known of the inertias speaks for it
  // Both signs turned would do as well; the study's inertias may speak for that all the same.
  bool signs_are_open = false, inertias_speak_for_turning = false;
  // Where the log does not tell a gear from the next: the ratios that other inertias and friction would do as well
  // with; and, of a log of the joint itself, how many times the drive may have had the wrong one.
  struct Range {
    double lower, upper;
  };
  std::optional<Range> ratio_range, conversion_range;
  // Where they are the joint's own: by which they would have to be multiplied.
  std::optional<double> position_factor, torque_factor;
};

std::vector<JointCheck> check_joints(const RobotSpec& robot, const RobotRecord& record, const MotorSides& sides);

}  // namespace tauhat
