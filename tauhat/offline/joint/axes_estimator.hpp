// The observers of several elastic axes behind the face that commands work with. Its inputs are the motors' torques,
// its sensors their positions, numbered as axes_signal() does.
#pragma once

#include <memory>

#include "tauhat/offline/joint/axes_design.hpp"
#include "tauhat/offline/replay/estimator.hpp"

namespace tauhat {

// Variances of the motors' positions, one an axis. Throws Error (wrong_use) that says why where it cannot be designed.
std::unique_ptr<Estimator> make_axes_estimator(const AxesSpec& spec, const AxesObserver& observer, double period,
                                               const std::vector<double>& sensor_variances);

}  // namespace tauhat
