// Least squares that says which directions of its parameters the data do not tell, and leaves them out.
//
//   force ~ regressor * parameters,   Cov = (A^T W A)^-1  S  (A^T W A)^-1,   S the covariance of sum_t w_t^2 a_t e_t
// A direction is lost where the columns, scaled to unit length, add up to nothing along it, or to no more than their
// own noise, which would flatten it (errors in variables).
#pragma once

#include <Eigen/Dense>

#include <vector>

namespace tauhat {

struct LeastSquares {
  Eigen::VectorXd parameters;  // the shortest (in scaled columns) of all that fit equally well
  Eigen::MatrixXd inverse;     // of regressor^T regressor, without the lost directions
  Eigen::MatrixXd lost;        // projector on the lost directions, in scaled columns
  double condition = 0.0;
};

// `column_noise`: the deviation of the noise in each column.
LeastSquares solve_separable(const Eigen::MatrixXd& regressor, const Eigen::VectorXd& force,
                             const Eigen::VectorXd& column_noise);

// One over the deviation of the residual, in three bands of speed for each direction. An exact record has no deviation
// to weigh by: never less than round-off of the force's level.
Eigen::VectorXd weights_by_speed(const Eigen::VectorXd& velocity, const Eigen::VectorXd& residual, double force_level);

// Covariance of the parameters. The scores w_t^2 a_t e_t stand at `rows` of `all_rows`, with zeros where a sample was
// left out, so that the others keep their distance in time.
Eigen::MatrixXd sandwich(const Eigen::MatrixXd& inverse, const Eigen::MatrixXd& weighted_regressor,
                         const Eigen::VectorXd& weighted_residual, const std::vector<Eigen::Index>& rows,
                         Eigen::Index all_rows);

}  // namespace tauhat
