// Least squares of columns that may be alike, and may differ in size by many decades.
#pragma once

#include <Eigen/Dense>

namespace tauhat {

struct LinearFit {
  Eigen::VectorXd coefficients;
  Eigen::VectorXd residual;  // columns * coefficients - wanted
  double square = 0.0;       // of the residual
  bool separable = true;     // else some columns say the same
  Eigen::MatrixXd lost;      // then: projector on the directions that are not told, of the scaled coefficients
};

LinearFit fit_linearly(const Eigen::MatrixXd& columns, const Eigen::VectorXd& wanted);

// The same from columns^T columns and columns^T wanted; residual and square are left to who has the columns.
LinearFit solve_normal_equations(const Eigen::MatrixXd& normal, const Eigen::VectorXd& product);

}  // namespace tauhat
