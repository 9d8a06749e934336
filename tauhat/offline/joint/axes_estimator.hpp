// The observers of several elastic axes behind the face that commands work with. Its inputs are the motors' torques,
// its sensors their positions, numbered as axes_signal() does.
#pragma once

#include <memory>

#include "tauhat/offline/joint/axes_spec.hpp"
#include "tauhat/offline/joint/joint_estimator.hpp"

namespace tauhat {

// Variances of the motors' positions, one an axis. Throws Error (wrong_use) that says why where it cannot be designed.
std::unique_ptr<Estimator> make_axes_estimator(const AxesSpec& spec, const AxesObserver& observer, double period,
                                               const std::vector<double>& sensor_variances);

struct AxesDesign {
  std::vector<std::string> states;
  Eigen::MatrixXd gain;                      // of the predictor, a row for each state and a column for each motor
  std::vector<std::array<double, 2>> poles;  // Hz, damping
  double radius = 0.0;                       // of the observer's error, per sample
  double residual = 0.0;                     // of the Riccati equation
};
AxesDesign design_of(const AxesSpec& spec, const AxesObserver& observer, double period,
                     const std::vector<double>& sensor_variances);

}  // namespace tauhat
