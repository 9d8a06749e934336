// LuGre's bristles driven by a known velocity, and the search for their parameters.
#pragma once

#include <Eigen/Dense>

#include <array>
#include <functional>
#include <vector>

namespace tauhat {

// What shapes the force; its size is fitted linearly. All positive.
struct BristleParameters {
  double reach = 0.0;              // displacement at which the bristles slide, breakaway / bristle stiffness
  double breakaway_ratio = 1.0;    // breakaway over Coulomb level
  double stribeck_velocity = 1.0;  // rad/s
};

// Force for a Coulomb level of one, mean over each interval. The velocity is taken as constant over an interval, for
// which the bristles' equation is solved exactly.
std::vector<double> bristle_force(const BristleParameters& parameters, const std::vector<double>& velocity,
                                  double period);

struct BristleFit {
  BristleParameters parameters;
  double square = 0.0;
};

// Least squares by Levenberg and Marquardt over the logarithms, from several starts, or from the last fit's numbers.
BristleFit fit_bristles(const std::function<Eigen::VectorXd(const BristleParameters&)>& residual,
                        const std::vector<double>& velocity, double period, const std::vector<double>& before);

// Stiffness, Coulomb level, breakaway level and Stribeck velocity.
std::vector<double> scaled_bristles(const BristleParameters& parameters, double level);

}  // namespace tauhat
