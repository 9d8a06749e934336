// What is known of a robot's standard parameters before a fit: the study's and the URDF's, and a guess for the rest.
// A body that nobody describes is taken as compact, 1 kg at its joint; an actuator or a friction that nobody gives as
// what the fit leaves of its group when the bodies are taken out.
#pragma once

#include <Eigen/Dense>

#include <string>
#include <vector>

#include "tauhat/offline/robot/base_parameters.hpp"
#include "tauhat/offline/robot/robot_spec.hpp"

namespace tauhat {

struct RobotPrior {
  Eigen::VectorXd parameters;              // standard, in the order of the columns; NaN: free, of any sign
  std::vector<bool> is_known;              // of each of them: not a guess
  std::vector<std::string> guessed_links;  // "link_3"

  // Of the groups that are known as a whole; NaN elsewhere.
  Eigen::VectorXd known_base(const BaseParameters& base) const;
};

// `values`: base parameters of a fit.
RobotPrior robot_prior(const RobotSpec& robot, const TorqueColumns& columns, const BaseParameters& base,
                       const Eigen::VectorXd& values);

}  // namespace tauhat
