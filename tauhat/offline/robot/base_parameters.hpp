// The parameters that a robot's torques can tell: the fewest combinations of the standard ones that give all torques
// (Gautier 1991).
//   beta = K phi,   Y phi = Y_b K phi for every state,   Y_b: independent columns of Y
// From regressors of random states: columns without effect go first (normalised, their round-off would look like one
// more), the rest are scaled to unit length, and singular values tell the rank. Which columns stand for the groups is
// free; those are preferred that textbooks choose by hand: of each link Ixx Izz Ixy Ixz Iyz mX mY, then the actuator,
// then what is left (Khalil and Dombre 2002, ch. 9).
#pragma once

#include <Eigen/Dense>

#include <cstdint>
#include <string>
#include <vector>

#include "tauhat/offline/robot/torque_columns.hpp"

namespace tauhat {

struct BaseOptions {
  int states = 300;
  double position = 2.0, velocity = 3.0, acceleration = 20.0;  // drawn from plus or minus these, in rad or m, and s
  double threshold = 1e-9;                                     // of singular values, relative to the largest
  std::uint64_t seed = 1;
};

struct BaseParameters {
  std::vector<int> columns;         // that stand for the groups, in the order of beta
  std::vector<int> without_effect;  // columns that no torque depends on
  Eigen::MatrixXd grouping;         // K: a row for each base parameter, a column for each standard one
  Eigen::VectorXd singular_values;  // of the normalised columns, falling
  double gap = 0.0;                 // last singular value that counts over the first that does not
  // Of each joint, which of the base parameters its torque depends on.
  std::vector<std::vector<int>> of_joint;

  int count() const noexcept { return static_cast<int>(columns.size()); }
};

BaseParameters base_parameters(const TorqueColumns& columns, const BaseOptions& options = {});

// "Izz1 + Iyy2 + Iyy3 + 0.07 mZ3 + ... + Ja1"
std::string grouping_text(const TorqueColumns& columns, const BaseParameters& base, int parameter);

// Standard parameters with the same torques: those that stand for the groups take all, the others are zero.
Eigen::VectorXd standard_parameters(const TorqueColumns& columns, const BaseParameters& base,
                                    const Eigen::VectorXd& values);

}  // namespace tauhat
