// Does the model of a regression describe its force? Where it does, the residual has the mean zero in each band of
// speeds, of positions and of accelerations.
//
//   W f = W A theta + Z b + u,   H0: b = 0,   T = b^T S^-1 b,   b = Z^T W e
// Z spans what the fitted parameters leave of the bands, with columns of unit length. S is the covariance of b, from
// the products Z_t u_t, which are correlated in time (long_run_covariance). It is an estimate itself, with nu degrees
// of freedom, so that T (nu - k + 1) / (nu k) is distributed as F(k, nu - k + 1) (Hotelling 1931).
#pragma once

#include <Eigen/Dense>

#include <vector>

namespace tauhat {

// Bands of the speed, for each direction; of the position; of the rate of the speed, for each direction.
enum class BandsOf { speed, position, acceleration };

struct ModelTest {
  BandsOf bands_of = BandsOf::speed;
  double statistic = 0.0, degrees = 0.0;  // T and k; no degrees: the record is too short or too uniform for this test
  double freedom = 0.0;                   // nu
  double p_value = 1.0;
  double largest_band_mean = 0.0;  // of the residual: measured less modelled force
  // Mean of that band: velocity, position, or acceleration along the motion (positive where it speeds up).
  double at = 0.0;
  // How far each parameter would move if the force were off by that much in every band, by the signs that move it most.
  Eigen::VectorXd largest_shift{};

  bool fails() const noexcept { return p_value < kSignificant; }
  static constexpr double kSignificant = 1e-3;
};

// What a fit leaves, sample by sample.
struct FitRemains {
  Eigen::MatrixXd regressor;  // weighted
  Eigen::MatrixXd inverse;    // of regressor^T regressor
  Eigen::VectorXd weights, residual, velocity, position, acceleration;
  std::vector<Eigen::Index> rows;  // where the samples stand in time, of
  Eigen::Index all_rows = 0;
};

ModelTest test_model(const FitRemains& remains, BandsOf bands_of);

}  // namespace tauhat
