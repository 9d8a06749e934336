// The physical parameters of an elastic joint from the response of its motor's position to its current or torque.
//
//   minimise  sum_f rho(|ln(G(f) / (model(f) e^(2 pi i f d)))|^2 / sigma_f^2) + sum_j (w ln(theta_j / theta_j0))^2
//   rho(s) = 2 (sqrt(1 + s) - 1),   sigma_f = max(relative deviation of G, least_deviation)
// over the logarithms of the free parameters: all are positive, and stiffness and damping are of very different size.
// The logarithm of G weighs resonances, their holes and the slope between them alike; rho lets a line that a
// disturbance has spoilt count little. The start is also the prior, with the weight w. d is the delay by which the
// input was logged later than it acted, where it is free.
#pragma once

#include <Eigen/Dense>

#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "tauhat/core/models/elastic_joint.hpp"
#include "tauhat/offline/joint/frequency_response.hpp"
#include "tauhat/offline/joint/joint_response.hpp"

namespace tauhat {

struct ModalFitOptions {
  double period = 0.0;              // s, over which the input is held
  double torque_constant = 1.0;     // N m per unit of the input: one for a torque
  std::vector<std::string> free{};  // "transmission.stiffness", as `describe` lists them; the others stay
  double prior_weight = 0.5;        // of each logarithm; 0: none
  double least_deviation = 0.02;    // of the gain: what the model is trusted to
  double highest = std::numeric_limits<double>::infinity();  // Hz: lines above are left out
  bool delay_free = false;
};

struct ModalParameter {
  std::string name, unit;
  double value = 0.0, std = 0.0;
  bool determined = true;  // else the prior decides, and `std` is the prior's
};

struct ModalFit {
  ElasticJoint<double> joint;              // the start with the parameters that were found
  std::vector<ModalParameter> parameters;  // the free ones, in the order that was asked
  Eigen::MatrixXd covariance;              // of their logarithms
  std::vector<Mode<double>> poles, zeros;
  std::vector<Mode<double>> pole_std, zero_std;  // of their frequencies and dampings, one each
  double chi_square = 0.0;                       // sum |ln(G / model)|^2 / sigma^2
  double freedom = 0.0;                          // what it would be on average if the model held and sigma were right
  double delay = 0.0, delay_std = 0.0;           // s, where it is free
  bool converged = false;

  const ModalParameter* find(std::string_view name) const noexcept;
  std::vector<std::string> undetermined() const;
};

// Throws Error (wrong_use) where a name is not the joint's or a start is not positive, and Error (unusable_data) where
// the response has fewer lines than there are parameters.
ModalFit fit_modes(const FrequencyResponse& response, const ElasticJoint<double>& start,
                   const ModalFitOptions& options);

// The friction of teeth takes a share of the torque that they pass on. While the motor travels in one direction, this
// makes the joint's torque at the motor larger or smaller by that share, as does a joint with
//   c K, c D, c M_ll, sqrt(c) M_ln,   c = 1 +- share
// which no response tells from the true one. The interval of 95 % then reaches as far.
void widen_by_teeth(double share, ModalFit& fit);

}  // namespace tauhat
