// What the rows of one joint alone tell of its log: the delay of its torque, and the work of its friction.
#pragma once

#include "tauhat/offline/robot/checked_samples.hpp"

namespace tauhat {

struct OwnCheck {
  double delay = 0.0, delay_std = 0.0;                    // s; positive: the torque comes later than the position
  bool is_delayed = false;                                // by more than chance and the clock's grain
  double explained = 0.0;                                 // share of the misfit that the delay takes away
  double friction_power = 0.0, friction_power_std = 0.0;  // W, that friction takes on average

  // Friction that gives energy: torque or velocity has the wrong sign.
  bool gives_energy() const noexcept { return friction_power < -6.0 * friction_power_std; }
};

// The joint's of checked_rows(), and those of one sample of the record before and after.
struct OwnRows {
  const Eigen::MatrixXd &now, &before, &after;
};

OwnCheck check_own_rows(const TorqueColumns& columns, const BaseParameters& base, int joint, const OwnRows& rows,
                        const CheckedSamples& samples, const RobotRecord& record);

}  // namespace tauhat
