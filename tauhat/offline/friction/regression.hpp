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
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tauhat/offline/friction/axis_motion.hpp"
#include "tauhat/offline/friction/misfit.hpp"
#include "tauhat/offline/friction/regression_columns.hpp"
#include "tauhat/offline/report/suspect.hpp"

namespace tauhat {

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
  // Deviation by what the model lacks, beside `std`, which is by noise. Nothing, where the model is not seen to fail.
  double misfit_std = 0.0;
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
  std::optional<double> only_speed;                 // of the axis, ramps aside; none where it ran at several
  std::size_t samples = 0, standstill_samples = 0;  // after decimation
  std::vector<double> time, position, velocity, acceleration, force, model_force, residual;  // of the samples used
  std::vector<ModelTest> model_tests;  // empty where the model explains all but round-off
  std::vector<Suspect> suspects;       // most suspicious first; their shifts are of `parameters`

  const RegressionParameter* find(std::string_view name) const noexcept;
  // The failed test that is the least likely by chance: a force that depends on the position shows in the means over
  // speed, too, but less clearly. None where the model holds as far as the record tells.
  const ModelTest* worst_misfit() const noexcept;
};

// Throws Error (unusable_data) where the record cannot be used or leaves nothing to fit.
RegressionFit fit_axis(const AxisRecord& record, const RegressionOptions& options);

}  // namespace tauhat
