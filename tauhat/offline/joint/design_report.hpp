// Gains, poles and responses of a study's observers, for who takes them to his controller; where the model follows a
// pose, whether they stay stable over it.
#pragma once

#include "tauhat/offline/study/study.hpp"

namespace tauhat {

// Of the study's observers, where it or its log's rate says it. Throws Error (wrong_use) where nothing does.
double required_period(const Study& study);

// Throws Error (wrong_use) with the reason where an observer cannot be designed.
Report design_report(const Study& study);

}  // namespace tauhat
