// Mass, friction and gravity of a rigid axis by linear regression on a record of its motion.
//
//   force = mass a + sine sin(q) + cosine cos(q) + viscous v + coulomb sign(v) + offset          (symmetric friction)
//   force = mass a + ... + viscous(+-) v + coulomb(+-) sign(v), one pair for each direction      (asymmetric)
//   force = ... + load(+-) |mass a + sine sin(q) + cosine cos(q)| sign(v)                        (torque-dependent)
// The position is filtered without delay and differentiated twice; regressors and force are decimated alike, so that
// the equation still holds between them (Janot, Gautier, Brunot: the EMPS benchmark; thesis, section 3.8, method 1).
#pragma once

#include <Eigen/Dense>

#include <cstddef>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

namespace tauhat {

struct AxisRecord {
  std::string source;                          // file, for messages
  double period = 0.0;                         // s, the same between all samples
  std::vector<double> position{}, velocity{};  // velocity may be empty: it is then the derivative of the position
  std::vector<double> force{};                 // N, or N m where the axis turns
};

enum class FrictionShape { symmetric, asymmetric };

struct RegressionOptions {
  double cut_off = 100.0;  // Hz, of the zero-phase Butterworth filter (order 4) on position or velocity; 0: none
  int decimation = 25;     // 1: none
  double trimmed = 0.6;    // s dropped at each end, where filters and differences are not whole
  // |velocity| below it is left out, for friction at rest is another matter. 0: the larger of one percent of the
  // highest speed (thesis) and five deviations of the velocity's noise, below which its sign is not known.
  double standstill = 0.0;
  bool held_force = false;  // force k acts from t_k to t_{k+1}, as a controller's does; else it is a sample at t_k
  bool gravity = false;     // columns sin(q), cos(q); the position is then in rad
  FrictionShape friction = FrictionShape::symmetric;
  bool torque_dependent = false;
  bool weighted = false;  // by the variance of the residual in three bands of speed for each direction
};

struct RegressionParameter {
  std::string name;
  double value = std::numeric_limits<double>::quiet_NaN(), std = std::numeric_limits<double>::quiet_NaN();
  bool separable = false;  // else value and std are NaN
  std::string why{};       // not separable, or not told from zero: a sentence, with what to record instead
};

struct RegressionFit {
  std::vector<RegressionParameter> parameters;
  Eigen::MatrixXd covariance;                       // of the parameters in their order; NaN where not separable
  double relative_error = 0.0;                      // |residual| / |force| over the samples that were used
  double condition = 0.0;                           // of the regressor with columns of unit length
  double effective_samples = 0.0;                   // independent samples that would say as much as the correlated ones
  double standstill = 0.0;                          // the threshold that was used
  std::size_t samples = 0, standstill_samples = 0;  // after decimation
  std::vector<double> time, position, velocity, acceleration, force, model_force, residual;  // of the samples used

  const RegressionParameter* find(std::string_view name) const noexcept;
};

// Throws Error (unusable_data) where the record cannot be used or leaves nothing to fit.
RegressionFit fit_axis(const AxisRecord& record, const RegressionOptions& options);

// The record filtered, differentiated and trimmed, at its own rate.
struct AxisMotion {
  double start = 0.0, period = 0.0;  // s
  std::vector<double> position, velocity, acceleration, force;
  double velocity_noise = 0.0;  // deviation of what the sensor's noise leaves after the filter

  std::size_t size() const noexcept { return force.size(); }
};
AxisMotion differentiate_axis(const AxisRecord& record, double cut_off, double trimmed);

// Covariance of the sum of the rows, which follow each other in time and are correlated:
//   S = C (sum_l k(l / b) sum_t e_t e_{t-l}^T) C,   e_t = g_t - rho g_{t-1},   C = 1 / (1 - rho)   for each column
// with Parzen's kernel and the bandwidth b of Andrews (1991), prewhitened as Andrews and Monahan (1992).
Eigen::MatrixXd long_run_covariance(const Eigen::MatrixXd& rows);

}  // namespace tauhat
