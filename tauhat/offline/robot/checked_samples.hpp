// The rows that a robot's checks look at: few enough to be fitted many times over.
#pragma once

#include <Eigen/Dense>

#include <cstddef>
#include <vector>

#include "tauhat/offline/robot/motion_rows.hpp"

namespace tauhat {

// The motion, filtered, at times that are far enough apart to be looked at one by one; the torque as it was measured,
// the mean of the samples around each: those of the next row are others, and noise is each row's own.
struct CheckedSamples {
  Eigen::MatrixXd position, velocity, acceleration, torque;  // a row each time, a column each joint
  std::vector<std::size_t> at;                               // of the record
  double turn_std = 0.0;                                     // s, as MotionRowOptions has it
  std::size_t averaged = 1;                                  // samples that a torque is the mean of, an odd number

  Eigen::Index size() const noexcept { return position.rows(); }

  // Of the actuators, at their gears' output: what friction depends on.
  Eigen::MatrixXd actuator_velocity(const Robot<double>& robot) const {
    return velocity * robot.transmission().coupling().transpose();
  }
  // Of each actuator, one where friction has its full size. Where it changes its sign, its width and its memory say
  // more than all else, and would be taken for a delay or a ratio. Contacts of a `reach`, rad (m), bend before they
  // slide.
  Eigen::ArrayXXd steady(const TorqueColumns& columns, const std::vector<double>& reach) const;
  // One where an actuator is no slower than is usual for it: these rows are the same in whatever unit.
  Eigen::ArrayXXd moving(const Robot<double>& robot) const;
};

// About so many, or fewer; `shift`: the samples that come so much later in the record.
CheckedSamples checked_samples(const RobotRecord& record, const MotionRowOptions& options, std::size_t rows,
                               int shift = 0);

// The mean of so many samples, an odd number, around each; of fewer at the ends.
std::vector<double> centred_mean(const std::vector<double>& series, std::size_t samples);

// Of each joint the columns of the base parameters that its torque depends on, for positions that are multiplied by
// `position_map`.
std::vector<Eigen::MatrixXd> checked_rows(const TorqueColumns& columns, const BaseParameters& base,
                                          const CheckedSamples& samples, const Eigen::MatrixXd& position_map);

}  // namespace tauhat
