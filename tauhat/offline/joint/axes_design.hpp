// The model and the gain of an observer of several elastic axes. How many there are is known at run time: one
// compilation serves all of them. (For a control loop, tauhat/core has the same by sizes that the compiler knows.)
#pragma once

#include <array>
#include <string>
#include <vector>

#include "tauhat/core/linear/hold.hpp"
#include "tauhat/core/models/elastic_axes.hpp"
#include "tauhat/offline/joint/axes_spec.hpp"

namespace tauhat {

using AnyAxes = ElasticAxes<double, Eigen::Dynamic>;
using LinearAnyAxes = LinearAxes<double, Eigen::Dynamic>;
using SampledAnyAxes = Sampled<double, Eigen::Dynamic, Eigen::Dynamic>;

AnyAxes elastic_axes(const AxesSpec& spec, const AxesObserver& observer);

// Each axis alone has its own inertia and does not feel the others.
Eigen::MatrixXd mass_for(const AxesObserver& observer, const Eigen::MatrixXd& mass);

SampledAnyAxes sampled_axes(const LinearAnyAxes& linear, double period) noexcept;

// In the order of the model.
std::vector<std::string> axes_state_names(const AxesSpec& spec);

struct AxesGain {
  LinearAnyAxes linear;
  SampledAnyAxes sampled;
  Eigen::MatrixXd filter, predictor;  // K and L = A K: a row for each state, a column for each motor
  // Of x(k|k-1) and x(k|k); empty where poles were placed: nobody said how large the noise is.
  Eigen::MatrixXd predicted, corrected;
  double radius = 0.0;     // of the observer's error, per sample
  double residual = 0.0;   // of the Riccati equation, where there is one
  double condition = 0.0;  // of the eigenvectors, where poles were placed
};

// Variances of the motors' positions, one an axis. Throws Error (wrong_use) that says why where it cannot be designed.
AxesGain axes_gain(const AxesSpec& spec, const AxesObserver& observer, double period,
                   const std::vector<double>& sensor_variances);

struct AxesDesign {
  std::vector<std::string> states;
  Eigen::MatrixXd gain;                      // of the predictor, a row for each state and a column for each motor
  std::vector<std::array<double, 2>> poles;  // Hz, damping
  double radius = 0.0, residual = 0.0, condition = 0.0;  // as in AxesGain
};
AxesDesign design_of(const AxesSpec& spec, const AxesObserver& observer, double period,
                     const std::vector<double>& sensor_variances);

}  // namespace tauhat
