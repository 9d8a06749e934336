#include "tauhat/offline/friction/linear_fit.hpp"

namespace tauhat {

using Eigen::MatrixXd;
using Eigen::VectorXd;

LinearFit fit_linearly(const MatrixXd& columns, const VectorXd& wanted) {
  constexpr double kAlike = 1e-12;  // columns that are alike to six digits say the same
  const VectorXd scale = columns.colwise().norm().cwiseMax(1e-300).transpose();
  const MatrixXd scaled = columns * scale.cwiseInverse().asDiagonal();
  const MatrixXd normal = scaled.transpose() * scaled;
  LinearFit fit;
  const Eigen::SelfAdjointEigenSolver<MatrixXd> eigen(normal);
  const double least = kAlike * eigen.eigenvalues()[columns.cols() - 1];
  fit.separable = eigen.eigenvalues()[0] > least;
  if (!fit.separable) {
    const MatrixXd hidden = eigen.eigenvectors().leftCols((eigen.eigenvalues().array() <= least).count());
    fit.lost = hidden * hidden.transpose();
  }
  fit.coefficients = normal.ldlt().solve(scaled.transpose() * wanted).cwiseQuotient(scale);
  fit.residual = columns * fit.coefficients - wanted;
  fit.square = fit.residual.squaredNorm();
  return fit;
}

}  // namespace tauhat
