// What a robot carries, from records of the same robot empty and loaded: the difference of the base parameters is the
// payload's inertia as the link that holds it groups it.
//   beta_loaded - beta_empty = K_link phi + e,   Cov(e) = Cov_loaded + Cov_empty
// of the inertial ones; friction is each record's own,
// weighed as if the noise of both records were white, phi = A (beta_loaded - beta_empty), with the covariance A Cov(e)
// A^T. Gains of torques that are known only so well move both records' parameters, and the payload with them.
#pragma once

#include <Eigen/Dense>

#include <string>
#include <vector>

#include "tauhat/core/robot/placement.hpp"
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
  Eigen::MatrixXd noise, inputs;  // covariances of all ten: by the noise of both records, by their gains
  // Of the differences that the payload leaves unexplained, over what their deviations promise: about 1 where the load
  // is all that changed. Above 1 the covariance by noise counts as many times.
  double misfit = 0.0;

  Eigen::MatrixXd covariance() const;
};

// Both fits are of the same columns and base parameters. `by_gains`: changes of the difference of theirs, a column for
// each gain that is wrong by its standard deviation.
PayloadFit identify_payload(const TorqueColumns& columns, const BaseParameters& base, const RobotFit& empty,
                            const RobotFit& loaded, int link, const Eigen::MatrixXd& by_gains = {});

// The same as people say it: mass, centre of mass (x, y, z) and the moments of inertia about it (Ixx Ixy Ixz Iyy Iyz
// Izz), in a frame that is placed so on the link. Its mass must not be zero.
struct PayloadBody {
  Eigen::VectorXd values, deviations;   // ten
  Eigen::VectorXd by_noise, by_inputs;  // parts of the deviations
  bool can_exist = true;
};
PayloadBody body_of(const PayloadFit& fit, const Placement<double>& frame);

}  // namespace tauhat
