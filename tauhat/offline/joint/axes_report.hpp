// What a study's observers of several elastic axes are, and what each gives on a log, axis by axis.
#pragma once

#include <functional>

#include "tauhat/offline/log/log.hpp"
#include "tauhat/offline/study/study.hpp"

namespace tauhat {

// Gains and poles. Throws Error (wrong_use) with the reason where an observer cannot be designed.
Report axes_design_report(const Study& study);

// Every observer, and the motors' velocities over their ratios, against the axes' references. `others` are studies with
// further parameters for the same observers. Throws Error (wrong_use) where no axis has a reference.
Report compare_axes(const Study& study, const std::vector<Study>& others, const Log& log,
                    const std::function<void(const std::string&, double)>& progress);

}  // namespace tauhat
