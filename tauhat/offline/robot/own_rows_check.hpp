// What the rows of one joint alone tell of its log: the delay of its torque, and the work of its friction.
//
// Friction that bends before it slides follows the motion late, too. Both are tried, and judged by what they leave of
// the misfit that lasts from row to row: noise is each row's own.
#pragma once

#include <cmath>

#include "tauhat/offline/robot/checked_samples.hpp"
#include "tauhat/offline/robot/shape_ranges.hpp"

namespace tauhat {

struct OwnCheck {
  static constexpr double kNearlyAll = 0.6;
  // Standard deviations of a delay that is certain, and of one that is more than chance; and s, the grain of a clock:
  // torques are held for a cycle of the controller.
  static constexpr double kCertain = 6.0, kLikely = 4.0, kGrain = 0.001;
  double delay = 0.0, delay_std = 0.0;                    // s; positive: the torque comes later than the position
  double delay_freedom = 1e9;                             // degrees, of that deviation
  bool is_delayed = false;                                // certainly, and by more than the clock's grain
  double explained = 0.0;                                 // share of the lasting misfit that the delay takes away
  double reach = 0.0, explained_by_bending = 0.0;         // rad (m), of contacts that would take away the most instead
  double friction_power = 0.0, friction_power_std = 0.0;  // W, that friction takes on average

  // s: below which nothing is said of a delay.
  double unseen_delay() const noexcept;
  bool may_be_delayed() const noexcept { return !is_delayed && std::abs(delay) > unseen_delay(); }

  // The delay explains nearly all that lasts, and much more than contacts that bend do: these leave twice as much.
  bool is_clock() const noexcept {
    return is_delayed && explained > kNearlyAll && 1.0 - explained_by_bending > 2.0 * (1.0 - explained);
  }
  bool bends() const noexcept { return explained_by_bending > kNearlyAll && !is_clock(); }

  // Friction that gives energy: torque or velocity has the wrong sign.
  bool gives_energy() const noexcept { return friction_power < -6.0 * friction_power_std; }
};

// The joint's of checked_rows(), and those of one sample of the record before and after.
struct OwnRows {
  const Eigen::MatrixXd &now, &before, &after;
};

// `reaches`: of contacts that the motion would show to bend.
OwnCheck check_own_rows(const TorqueColumns& columns, const BaseParameters& base, int joint, const OwnRows& rows,
                        const CheckedSamples& samples, const RobotRecord& record, const ShapeRange& reaches);

}  // namespace tauhat
