// What an estimate of the link velocity is worth to a controller: the axis is struck, a loop damps its vibration by the
// estimate, and how fast that dies out says what phase and noise figures only hint at.
//   u = k_p (12 1/s (0 - q_m) - w_m + gain (N w_l - w_m)),   k_p: 10 Hz of the rigid axis
#pragma once

#include "tauhat/offline/joint/joint_spec.hpp"
#include "tauhat/offline/replay/estimator.hpp"

namespace tauhat {

struct DampingTrial {
  double gain = 0.0;        // that damps best when the velocity is known
  double without = 0.0;     // relative damping of the joint's vibration with the motor's loop alone
  double with_truth = 0.0;  // and with the true velocity fed back
};
DampingTrial plan_damping_trial(const JointSpec& spec, double period);

// The damping of this axis with the estimator's link velocity fed back; 0 where the vibration stays. The axis has its
// LuGre friction, but no gravity: the estimator is made without, too.
double damping_with(const JointSpec& spec, double period, const DampingTrial& trial, Estimator& estimator,
                    double sensor_variance);

}  // namespace tauhat
