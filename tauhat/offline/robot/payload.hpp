// What a robot carries, from records of the same robot empty and loaded: the difference of the base parameters is the
// payload's inertia as the link that holds it groups it.
//   beta_loaded - beta_empty = K_link phi + e,   Cov(e) = Cov_loaded + Cov_empty
#pragma once

#include <Eigen/Dense>

#include <string>
#include <vector>

#include "tauhat/offline/robot/robot_regression.hpp"

namespace tauhat {

struct PayloadParameter {
  std::string name, unit;  // "m", "kg"
  double value = 0.0, std = 0.0;
  bool is_told = true;  // else the motions do not tell it from others, and value and std mean nothing
};

// Ixx Ixy Ixz Iyy Iyz Izz mX mY mZ m, about the frame of the link.
struct PayloadFit {
  std::vector<PayloadParameter> parameters;
  // Of the differences that the payload leaves unexplained, over what their deviations promise: about 1 where the load
  // is all that changed.
  double misfit = 0.0;
};

// Both fits are of the same columns and base parameters.
PayloadFit identify_payload(const TorqueColumns& columns, const BaseParameters& base, const RobotFit& empty,
                            const RobotFit& loaded, int link);

}  // namespace tauhat
