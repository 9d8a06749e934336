// Standard parameters of a robot that can exist, from a regression and a prior (Lee, Wensing and Park 2020; entropic
// distance to the prior):
//   minimise  1/2 |W (Y_b K phi - tau)|^2 + lambda sum_links [tr(P0^-1 P) - ln det P] + lambda sum_x [x / x0 - ln x]
// P: a link's pseudo-inertia, x: actuator inertias and friction. The function is convex and finite inside the bodies
// that can exist alone, so that Newton's method with a step that is shortened where it must be stays there.
#pragma once

#include <Eigen/Dense>

#include "tauhat/offline/robot/base_parameters.hpp"
#include "tauhat/offline/robot/robot_regression.hpp"

namespace tauhat {

struct ConsistentOptions {
  double penalty = 1.0;       // lambda
  double decrement = 1e-10;   // Newton's, at which it ends
  int most_iterations = 100;  // then it has failed
};

struct ConsistentFit {
  Eigen::VectorXd parameters;           // standard, in the order of the columns
  Eigen::VectorXd base;                 // K phi
  Eigen::VectorXd smallest_eigenvalue;  // of each link's pseudo-inertia
  int iterations = 0;
  bool converged = false;
};

// `prior`: standard parameters. A scalar that is not known beforehand is NaN there: it is free, of any sign. Throws
// Error (wrong_use) where the prior is not that of bodies that can exist, and names the link or parameter.
ConsistentFit consistent_parameters(const TorqueColumns& columns, const BaseParameters& base, const WeightedSums& sums,
                                    const Eigen::VectorXd& prior, const ConsistentOptions& options = {});

}  // namespace tauhat
