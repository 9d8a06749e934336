// What the noise of the positions does to a robot's parameters. It is in the regressor itself, differentiated twice,
// and least squares then finds other values than without it (Fuller 1987):
//   beta_found = H^-1 (H - N) beta,   H = sum Y^T Y / s^2,   N = sum dY^T dY / s^2
// dY is how the rows change when as much noise again is added to the record and goes the same way, through the filters.
#pragma once

#include <vector>

#include "tauhat/offline/robot/robot_identification.hpp"

namespace tauhat {

// How far it moves each base parameter, without its sign. The noise is what third differences of the positions (and
// velocities, where they are measured) show.
Eigen::VectorXd shift_by_column_noise(const RobotIdentification& identification, const RobotFit& fit,
                                      const std::vector<RobotRecord>& records);

}  // namespace tauhat
