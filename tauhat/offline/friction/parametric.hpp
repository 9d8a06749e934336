// The second step: the axis with a law whose parameters are estimated along, from start values that are nearly right.
// Filter, fixed lag, and smoother over the whole record; it may stick.
#pragma once

#include <string>
#include <vector>

#include "tauhat/core/models/axis.hpp"
#include "tauhat/offline/friction/candidate.hpp"
#include "tauhat/offline/replay/estimator.hpp"

namespace tauhat {

struct ParametricSpec {
  Axis<double> axis;
  FittedLaw law;  // start values
  // Of each parameter, in the order of parameter_names(), before the data and per square root of a second. Empty: 30 %
  // of the start values, and no drift.
  std::vector<double> std, drift;
  // How large friction usually is, and how fast the axis. A level or a viscous friction that starts next to nothing is
  // then known no better than to 30 % of what these make it. 0: not told.
  double friction = 0.0, fastest = 0.0;
  double offset_std = 0.0;  // of the axis' constant force, before the data; 0: it is known
  double start[2] = {0, 0}, start_variances[2] = {1e-4, 1e-4};  // position and velocity
  double standstill = 5e-4;                                     // rad/s: slower, and held, is sticking
  double slow = 0.0, slow_noise = 0.0;                          // as of Sticking
  // The first samples are smoothed and linearised anew before the filter goes on: it has no transient to recover from.
  std::size_t start_window = 2000;
  int start_iterations = 0;
  bool tracks = true;   // false: only the innovations' likelihood, which is found sooner
  std::size_t lag = 0;  // samples; 0: none
  bool smooth = false;
  int smoothing_iterations = 0;  // linearised anew about the smoothed motion, so many times
};

struct LawParameter {
  std::string name, unit;
  double value = 0.0, std = 0.0;
  double prior = 0.0, prior_std = 0.0;  // before the data
};

struct ParametricTracks {
  Track friction, velocity;                    // x(k|k)
  Track lagged_friction;                       // x(k|k+lag); near the end with all samples there are
  Track smoothed_friction, smoothed_velocity;  // x(k|all)
  std::vector<char> sticks;                    // as smoothed, or as filtered
  std::vector<LawParameter> parameters;        // at the end of the record
  LawParameter offset;                         // the axis' constant force there
  Eigen::MatrixXd covariance;                  // of the parameters there
  std::vector<double> innovations;             // standardised, of the filter
  std::vector<double> innovation_times;
  double log_likelihood = 0.0, mean_nis = 0.0;
  bool diverged = false;
};

// What a parameter in which friction is linear usually is, where the spec says how large friction is and how fast the
// axis; else, and for all others, zero.
double usual_value(const ParametricSpec& spec, const std::string& name);

// Of a parameter that starts here, where the spec gives none: this share of it, or of what it usually is.
inline constexpr double kPriorShare = 0.3;
double deviation_before(const ParametricSpec& spec, const std::string& name, double start);

ParametricTracks run_parametric(const ParametricSpec& spec, const Timeline& timeline);

}  // namespace tauhat
