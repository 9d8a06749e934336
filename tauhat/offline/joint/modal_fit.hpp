// The physical parameters of an elastic joint from the response of its motor's position to its current or torque.
//
//   minimise  sum_f rho(|ln(G(f) / (model(f) e^(2 pi i f d)))|^2 / sigma_f^2) + sum_j (w ln(theta_j / theta_j0))^2
//   rho(s) = 2 (sqrt(1 + s) - 1),   sigma_f = max(relative deviation of G, least_deviation)
// over the logarithms of the free parameters: all are positive, and stiffness and damping are of very different size.
// The logarithm of G weighs resonances, their holes and the slope between them alike; rho lets a line that a
// disturbance has spoilt count little. The start is also the prior, with the weight w. d is the delay by which the
// input was logged later than it acted, where it is free.
//
// The friction of teeth takes a share of the torque that they pass on, |tau_j| / N. While the motor travels in one
// direction this makes the joint's torque at the motor larger or smaller by that share times turned = mean of
// sign(w) sign(tau_j), as does a joint with
//   c K, c D, c M_ll, c b_l, sqrt(c) M_ln,   c = 1 + share turned
// which one response does not tell from the true one. Several responses, each with a `turned` of its own, do; else the
// share stays what is known of it beforehand, and so far the intervals reach.
//
// Modes above the band, of what the links carry, act in it as an inertia that grows with the frequency,
//   M_ll (1 + x g(f)),   g = (f / f_h)^2 (1 - r) / (1 - r (f / f_h)^2),   r = (f_h / f_w)^2
// f_h the highest line. They bend all lines alike, so that no number of lines averages them out, and to the motor they
// are a softer joint but for what bends upwards in g. So x is fitted along. Where the deviations are those of the
// residuals, the numbers are the mean of those with x and of those without, by how likely the lines make either.
#pragma once

#include <Eigen/Dense>

#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tauhat/core/models/elastic_joint.hpp"
#include "tauhat/offline/joint/frequency_response.hpp"
#include "tauhat/offline/joint/joint_response.hpp"
#include "tauhat/offline/report/uncertainty.hpp"

namespace tauhat {

// Taken as given, and known only so well: a parameter of the joint that is not free, or kTorqueGain; of a free one, in
// place of the prior's weight.
inline constexpr const char* kTorqueGain = "motor.torque.gain";  // torque that acts over torque as logged
struct KnownSoWell {
  std::string name;
  double relative_std = 0.0;
};

struct TeethFriction {
  double share = 0.0, std = 0.0;  // beforehand; a std of zero: it is this
  bool is_given = false;          // by the study; else it is what a gear may have
};

struct ModalFitOptions {
  double period = 0.0;              // s, over which the input is held
  double torque_constant = 1.0;     // N m per unit of the input: one for a torque
  std::vector<std::string> free{};  // "transmission.stiffness", as `describe` lists them; the others stay
  double prior_weight = 0.5;        // of each logarithm; 0: none
  double least_deviation = 0.02;    // of the gain: what the model is trusted to
  // In place of least_deviation, where nothing but noise and a window's leaks is to be expected beside the model: by
  // how much the residuals of the lines nearby differ from the deviations of G.
  bool deviation_by_residuals = false;
  double highest = std::numeric_limits<double>::infinity();  // Hz: lines above are left out
  bool delay_free = false;
  std::vector<KnownSoWell> known{};
  TeethFriction teeth{};
  double modes_above = 0.0;                                   // deviation of x beforehand; 0: there are none
  double modes_at = std::numeric_limits<double>::infinity();  // f_w / f_h
};

struct TravelResponse {
  FrequencyResponse response;
  double turned = 0.0;  // mean of sign(w) sign(tau_j) while it was recorded
};

struct ModalParameter {
  std::string name, unit;
  double value = 0.0, std = 0.0;
  bool determined = true;  // else the prior decides, and `std` is the prior's
  UncertaintyBudget budget{};
};

struct ModalFit {
  ElasticJoint<double> joint;              // the start with the parameters that were found
  std::vector<ModalParameter> parameters;  // the free ones, in the order that was asked
  Eigen::MatrixXd covariance;              // of their logarithms, and of the teeth's share where it is free
  std::vector<Mode<double>> poles, zeros;
  std::vector<Mode<double>> pole_std, zero_std;  // of their frequencies and dampings, one each
  double chi_square = 0.0;                       // sum |ln(G / model)|^2 / sigma^2
  double freedom = 0.0;                          // what it would be on average if the model held and sigma were right
  double delay = 0.0;                            // s, where it is free
  UncertaintyBudget delay_budget{};
  std::optional<ModalParameter> teeth{};  // their share, where it is free
  bool converged = false;

  const ModalParameter* find(std::string_view name) const noexcept;
  std::vector<std::string> undetermined() const;
};

// Throws Error (wrong_use) where a name is not the joint's or a start is not positive, and Error (unusable_data) where
// the response has fewer lines than there are parameters.
ModalFit fit_modes(const FrequencyResponse& response, const ElasticJoint<double>& start,
                   const ModalFitOptions& options);

// Of responses to the same kind of input, each at another `turned`.
ModalFit fit_modes(const std::vector<TravelResponse>& responses, const ElasticJoint<double>& start,
                   const ModalFitOptions& options);

}  // namespace tauhat
