// Multiple shooting: the drive with its transmission law is integrated over short segments and compared with the
// sensors themselves. Each segment has its own start (displacement, velocities); the law and other parameters are
// common to all.
//
//   minimise  sum over segments 4 n ln(1 + chi^2 / (4 n))  + priors,   chi^2 = sum (residual / std)^2
// The logarithm lets a segment that got stuck in a wrong minimum count little. Levenberg-Marquardt with the local
// unknowns eliminated by the Schur complement.
#pragma once

#include <Eigen/Dense>

#include <array>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "tauhat/offline/drive/two_mass.hpp"
#include "tauhat/offline/replay/timeline.hpp"

namespace tauhat {

// A parameter that the fit moves: one or two entries of the model's parameter list (both flanks of a symmetric dead
// zone), or one of the torque channel's nuisances.
struct ShootingParameter {
  static constexpr int kTorqueGain = -1, kTorqueDelay = -2, kTorqueOffset = -3;
  std::string name, unit;
  std::vector<int> entries;  // places in the list of the drive with its law, or one of the constants above
  double start = 0.0;
  double prior_std = std::numeric_limits<double>::infinity();  // of `start`; infinite: no prior
  double lower = -std::numeric_limits<double>::infinity();
};

struct ShootingSegment {
  std::size_t first = 0, intervals = 0;  // instants of the timeline: starts at `first`, compares the next `intervals`
  double motor_position = 0.0, displacement = 0.0, motor_velocity = 0.0, load_velocity = 0.0;
};

struct ShootingProblem {
  const Timeline* timeline = nullptr;
  Drive drive;
  DeadZone<double> law;  // start values
  std::vector<ShootingParameter> parameters;
  std::vector<ShootingSegment> segments;
  bool position_is_local = false;  // the motor position at each start is unknown too, because it matters
  std::function<void(double)> progress;
};

struct ShootingFit {
  std::vector<double> value;
  Eigen::MatrixXd covariance;        // with the priors' share
  Eigen::MatrixXd noise_covariance;  // of noise alone, the priors' parameters held
  // How far the interval of the first parameter, the gap, reaches down and up by the profile of the likelihood, over
  // what the covariance says.
  std::array<double, 2> reach_of_first{1.0, 1.0};
  double reduced_chi_square = 0.0;  // of the segments in use
  double dropped_share = 0.0;       // of segments
  std::size_t residual_count = 0;
  std::vector<ShootingSegment> segments;  // from where each starts
  double log_likelihood_cost = 0.0;       // chi^2 of the segments in use
  bool converged = false;
  std::vector<std::string> undetermined;       // parameters that the data do not tell, alone or from each other
  std::vector<double> segment_chi_square;      // reduced, NaN where dropped
  std::vector<std::vector<double>> residuals;  // one row per sensor, standardised, in time; NaN between
  double value_of(const ShootingProblem& problem, const std::string& name) const;
  double std_of(const ShootingProblem& problem, const std::string& name) const;
  // Of a * first + b * second.
  double std_of_sum(const ShootingProblem& problem, double a, const std::string& first, double b,
                    const std::string& second) const;
};

ShootingFit fit_by_shooting(ShootingProblem problem);

}  // namespace tauhat
