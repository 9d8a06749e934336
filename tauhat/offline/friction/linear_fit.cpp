#include "tauhat/offline/friction/linear_fit.hpp"

namespace tauhat {

using Eigen::MatrixXd;
using Eigen::VectorXd;

LinearFit solve_normal_equations(const MatrixXd& normal, const VectorXd& product) {
  constexpr double kAlike = 1e-12;  // columns that are alike to six digits say the same
  const VectorXd inverse_length = normal.diagonal().cwiseSqrt().cwiseMax(1e-300).cwiseInverse();
  const MatrixXd scaled = inverse_length.asDiagonal() * normal * inverse_length.asDiagonal();
  LinearFit fit;
  const Eigen::SelfAdjointEigenSolver<MatrixXd> eigen(scaled);
  const double least = kAlike * eigen.eigenvalues()[normal.cols() - 1];
  fit.separable = eigen.eigenvalues()[0] > least;
  if (!fit.separable) {
    const MatrixXd hidden = eigen.eigenvectors().leftCols((eigen.eigenvalues().array() <= least).count());
    fit.lost = hidden * hidden.transpose();
  }
  fit.coefficients = inverse_length.cwiseProduct(scaled.ldlt().solve(inverse_length.cwiseProduct(product)));
  return fit;
}

LinearFit fit_linearly(const MatrixXd& columns, const VectorXd& wanted) {
  LinearFit fit = solve_normal_equations(columns.transpose() * columns, columns.transpose() * wanted);
  fit.residual = columns * fit.coefficients - wanted;
  fit.square = fit.residual.squaredNorm();
  return fit;
}

}  // namespace tauhat
