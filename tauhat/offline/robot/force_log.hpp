// What the estimators of a force take of a study and of its log.
#pragma once

#include <string>
#include <vector>

#include "tauhat/offline/log/log.hpp"
#include "tauhat/offline/study/study.hpp"

namespace tauhat {

// The study with the channels that the estimator takes, positions, torques and, where all joints have one, velocities:
// a force sensor's axis neither helps nor disturbs it.
Study force_study(const Study& study);
// Of each joint its channel, at the joint or at its motor; null where there is none.
std::vector<const StudyChannel*> position_channels(const Study& study);
std::vector<const StudyChannel*> torque_channels(const Study& study);
// Of all joints, or empty: the observers cannot take some by measurement and some by difference.
std::vector<const StudyChannel*> velocity_channels(const Study& study);

// In the joints' order, as the study's channels call them; the positions first, then the velocities.
std::vector<std::string> motion_signals(const Study& study);
std::vector<std::string> torque_signals(const Study& study);

// The standard deviations that the study does not give, from the data.
void complete_noise(const Log& log, Study& study, std::vector<Diagnostic>& diagnostics);

// The log that an estimator runs over: interpolated where [estimator] says a rate.
Log force_log(const Log& log, const Study& study);

// The period that the observers' fixed gains belong to; `otherwise` where the study does not say.
double force_period(const Study& study, double otherwise);

}  // namespace tauhat
