// What an estimate of a link's velocity is worth to a controller: the link is struck, a loop damps its vibration by the
// estimate, and how fast that dies out says what phase and noise figures only hint at.
//   u = k_p (12 1/s (0 - q_m) - w_m + gain (N w_l - w_m)),   k_p: 10 Hz of the rigid axis
// Of several axes one is struck and damped; the motors of the others are held by their loops, without the last term.
#pragma once

#include "tauhat/offline/joint/model_axes.hpp"
#include "tauhat/offline/replay/estimator.hpp"
#include "tauhat/offline/report/diagnostic.hpp"

namespace tauhat {

struct DampingTrial {
  std::size_t axis = 0;     // that is struck
  double gain = 0.0;        // that damps best when the velocity is known
  double without = 0.0;     // relative damping of the joint's vibration with the motors' loops alone
  double with_truth = 0.0;  // and with the true velocity fed back
};
DampingTrial plan_damping_trial(const ModelAxes& model, std::size_t axis);

// Where an estimator takes the motors' positions, and where it tells the velocity of the link that is struck.
struct LoopSignals {
  std::vector<int> motor_positions;  // one an axis
  std::vector<double> sensor_variances;
  int load_velocity = 0;
};

// Observers with which the loop damps less than without any, if some do: at its resonance an estimate that comes late,
// or misses the swing, turns the feedback around. `axis` names it, where there are several.
struct TriedDamping {
  std::string observer;
  double damping = 0.0;
};
std::optional<Diagnostic> damps_less(const std::vector<TriedDamping>& tried, const DampingTrial& trial,
                                     const std::string& axis = {});

// The damping of these axes with the estimator's link velocity fed back; 0 where the vibration stays. A single axis has
// its LuGre friction. There is no gravity: the estimator is made without, too (weightless()).
double damping_with(const ModelAxes& model, const DampingTrial& trial, Estimator& estimator,
                    const LoopSignals& signals);

}  // namespace tauhat
