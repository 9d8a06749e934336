// What a study's observers of several elastic axes are.
#pragma once

#include "tauhat/offline/study/study.hpp"

namespace tauhat {

// Gains and poles. Throws Error (wrong_use) with the reason where an observer cannot be designed.
Report axes_design_report(const Study& study);

}  // namespace tauhat
