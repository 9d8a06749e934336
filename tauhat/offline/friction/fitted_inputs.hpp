// Parameters of an axis that the study knows only so well ({ value, std }), found along with its friction and within
// what is known of them: a mass that is off by its deviation looks like friction of the acceleration, which no law has.
//   p ~ N(p0, std^2) before the data,   M v' = ... - F(v) - sum_i (p_i - p0_i) c_i,   c = v', x, v, sin x, cos x, 1
#pragma once

#include <Eigen/Dense>

#include <string>
#include <vector>

#include "tauhat/core/models/axis.hpp"
#include "tauhat/offline/drive/two_mass.hpp"
#include "tauhat/offline/friction/blind.hpp"
#include "tauhat/offline/friction/parametric.hpp"

namespace tauhat {

// What the study says of them.
struct GivenInputs {
  Axis<double> axis;
  std::vector<UncertainParameter> uncertain;

  bool empty() const { return uncertain.empty(); }
  Eigen::VectorXd std() const;
  // How far an axis is off what is given.
  Eigen::VectorXd moved(const Axis<double>& to) const;
  // Of what is known before the data, in squares of the deviations.
  double unlikelihood(const Axis<double>& of) const;
};

// The axis with its uncertain parameters moved.
Axis<double> with_moved(Axis<double> axis, const std::vector<UncertainParameter>& uncertain,
                        const Eigen::VectorXd& moved_by);

// Columns of force against motion, one row a parameter, over each interval of a motion as it was smoothed blindly: of
// the acceleration that the axis had, whatever mass it was smoothed with.
struct InputColumns {
  Eigen::MatrixXd force;
  Eigen::VectorXd std, given;   // where what is given lies, from the axis that the columns were made with
  double noise_variance = 1.0;  // of the position: what a deviation is weighed against
  std::vector<UncertainParameter> uncertain{};
};
InputColumns input_columns(const GivenInputs& given, const Axis<double>& axis, const Timeline& timeline,
                           const BlindSmoothing& blind, double noise_variance);

// Moves the axis of `spec` to where the innovations of its filter are likeliest together with what is given: Gauss and
// Newton's steps. Returns what the data tell of the parameters, the inverse of a covariance.
Eigen::MatrixXd fit_inputs(ParametricSpec& spec, const GivenInputs& given, const Timeline& timeline);

// Of one parameter, before and after the data.
struct FittedInput {
  std::string name, unit;
  double given = 0.0, given_std = 0.0, value = 0.0, std = 0.0;
  double deviations() const { return (value - given) / given_std; }
};
std::vector<FittedInput> fitted_inputs(const GivenInputs& given, const Axis<double>& axis,
                                       const Eigen::MatrixXd& covariance);

// By what is given and what the data tell, of which intervals that were widened count for less.
Eigen::MatrixXd covariance_of_inputs(const GivenInputs& given, const Eigen::MatrixXd& told, double widened);

}  // namespace tauhat
