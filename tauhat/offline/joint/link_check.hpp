// Whether a log agrees with the observer that watches a joint: the innovations are white, and nothing that the model
// may have wrong would make them smaller. A suspect (the torque's scale, a stiffness, friction) is tried by what a
// small change of it does to the innovations, s = d e / d theta, with the observer designed for the changed model (a
// score test):
//   a = sum s e / sum s^2,   z = sum s e / sqrt(S sum s^2),   S the innovations' own variance
// An observer with placed poles promises no deviation, and is not tested.
#pragma once

#include <string>
#include <vector>

#include "tauhat/offline/replay/estimator.hpp"
#include "tauhat/offline/study/study.hpp"

namespace tauhat {

struct LinkSuspect {
  std::string name, unit;  // "motor.torque.gain", "1"
  double value = 0.0;      // what the study has; 0: it is no part of the model
  double change = 0.0;     // by how much another value would explain the log better
  double z = 0.0;          // that, in standard deviations of noise
  double velocity = 0.0;   // rad/s: rms by which the link's velocity would change
};

struct LinkCheck {
  double mean_nis = 0.0;              // of the innovations, once the observer has forgotten its start
  double autocorrelation = 0.0;       // of the innovations, the largest at lags 1 to 10
  double whiteness = 0.0;             // that, in standard deviations of white noise
  std::vector<LinkSuspect> suspects;  // most suspicious first
};

// `replay` is that of the chosen observer over the timeline.
LinkCheck check_link(const Study& given, const Timeline& whole, const Replay& of_whole);

std::vector<Diagnostic> diagnose_link(const LinkCheck& check);

}  // namespace tauhat
