// How well a motion will tell a robot's base parameters, before it is recorded: the information of its regressor under
// white noise of the torques.
//   Cov = (sum_k sum_j y_jk y_jk^T / s_j^2)^-1      y_jk: row of joint j at sample k, s_j: std of a sample of its
//   torque
#pragma once

#include <Eigen/Dense>

#include "tauhat/offline/robot/base_parameters.hpp"
#include "tauhat/offline/robot/fourier_trajectory.hpp"

namespace tauhat {

// Of one period that is recorded at `rate` (Hz). Infinite where the motion tells nothing.
Eigen::VectorXd predicted_deviations(const FourierTrajectory& trajectory, const TorqueColumns& columns,
                                     const BaseParameters& base, const Eigen::VectorXd& torque_std, double rate);

}  // namespace tauhat
