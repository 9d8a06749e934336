// How much a sum scatters whose terms are correlated in time.
//
//   S = C (sum_l k(l / b) sum_t e_t e_{t-l}^T) C,   e_t = g_t - rho g_{t-1},   C = 1 / (1 - rho)   for each column
// with Parzen's kernel and the bandwidth b of Andrews (1991), prewhitened as Andrews and Monahan (1992).
#pragma once

#include <Eigen/Dense>

namespace tauhat {

struct LongRun {
  Eigen::MatrixXd covariance;  // of the sum of the rows, which follow each other in time
  double bandwidth = 0.0;      // rows that were looked at on either side of each
};
LongRun long_run(const Eigen::MatrixXd& rows);

Eigen::MatrixXd long_run_covariance(const Eigen::MatrixXd& rows);

// Sums over a hundredth of the rows each. Between neighbouring samples a sensor's noise hides what wanders: a
// covariance that starts from their correlation would miss most of it.
Eigen::MatrixXd sums_in_blocks(const Eigen::MatrixXd& rows);

// Degrees of freedom of a variance that was estimated so, from terms of these variances (Satterthwaite 1946):
//   nu = (sum_t h_t)^2 / sum_l k(l / b)^2 sum_t h_t h_{t-l}
double long_run_freedom(const Eigen::VectorXd& variances, double bandwidth);

}  // namespace tauhat
