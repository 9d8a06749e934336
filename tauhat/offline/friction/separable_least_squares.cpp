#include "tauhat/offline/friction/separable_least_squares.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "tauhat/offline/friction/long_run_covariance.hpp"
#include "tauhat/offline/quantile.hpp"

namespace tauhat {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

// A direction of the parameters is lost where the regressor, its columns scaled to unit length, is shorter than this:
// a model error of one percent of the force would then move the parameters by as much as they are.
constexpr double kShortest = 0.01;
// Or where it is not clearly longer than the noise of the columns, which would flatten it (errors in variables).
constexpr double kAboveNoise = 10.0;  // in variance

constexpr int kBands = 3;
constexpr double kRoundOff = 1e-9;  // of the force

}  // namespace

LeastSquares solve_separable(const MatrixXd& regressor, const VectorXd& force, const VectorXd& column_noise) {
  const VectorXd length = regressor.colwise().norm();
  const auto rows = static_cast<double>(regressor.rows());
  // A column that is noise by itself is left out first: its chance likeness to others would mix them into its loss.
  VectorXd scale = VectorXd::Zero(length.size());
  for (Index j = 0; j < length.size(); ++j) {
    const double noise = kAboveNoise * rows * column_noise[j] * column_noise[j];
    if (length[j] * length[j] > noise) scale[j] = 1.0 / length[j];
  }
  // The eigenvectors of the Gram matrix are the singular vectors. That its condition is the square of the regressor's
  // does not matter where directions below one percent are given up.
  const Eigen::SelfAdjointEigenSolver<MatrixXd> gram(scale.asDiagonal() * (regressor.transpose() * regressor) *
                                                     scale.asDiagonal());
  const VectorXd& squares = gram.eigenvalues();  // of the singular values, in rising order
  VectorXd inverse = VectorXd::Zero(squares.size());
  LeastSquares solution;
  solution.lost = MatrixXd::Zero(length.size(), length.size());
  for (Index i = 0; i < squares.size(); ++i) {
    const VectorXd direction = gram.eigenvectors().col(i);
    const double noise = rows * direction.cwiseProduct(scale).cwiseProduct(column_noise).squaredNorm();
    if (squares[i] > std::max(kShortest * kShortest, kAboveNoise * noise)) {
      inverse[i] = 1.0 / squares[i];
    } else {
      solution.lost += direction * direction.transpose();
    }
  }
  const MatrixXd directions = scale.asDiagonal() * gram.eigenvectors();
  solution.inverse = directions * inverse.asDiagonal() * directions.transpose();
  solution.parameters = solution.inverse * (regressor.transpose() * force);
  const double smallest = std::max(squares[0], std::numeric_limits<double>::epsilon());
  solution.condition = std::sqrt(squares[squares.size() - 1] / smallest);
  return solution;
}

VectorXd weights_by_speed(const VectorXd& velocity, const VectorXd& residual, double force_level) {
  std::vector<double> speeds;
  for (const double v : velocity) speeds.push_back(std::abs(v));
  const double low = quantile(speeds, 1.0 / kBands), high = quantile(speeds, 2.0 / kBands);
  const auto band_of = [&](Index i) {
    const double speed = std::abs(velocity[i]);
    return (speed <= low ? 0 : speed <= high ? 1 : 2) + (velocity[i] > 0.0 ? kBands : 0);
  };
  std::array<double, 2 * kBands> squares{}, count{};
  for (Index i = 0; i < residual.size(); ++i) {
    squares[static_cast<std::size_t>(band_of(i))] += residual[i] * residual[i];
    count[static_cast<std::size_t>(band_of(i))] += 1.0;
  }
  return VectorXd::NullaryExpr(residual.size(), [&](Index i) {
    const auto band = static_cast<std::size_t>(band_of(i));
    return 1.0 / (std::sqrt(squares[band] / count[band]) + kRoundOff * force_level);
  });
}

MatrixXd sandwich(const MatrixXd& inverse, const MatrixXd& weighted_regressor, const VectorXd& weighted_residual,
                  const std::vector<Index>& rows, Index all_rows) {
  MatrixXd scores = MatrixXd::Zero(all_rows, weighted_regressor.cols());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const auto at = static_cast<Index>(i);
    scores.row(rows[i]) = weighted_residual[at] * weighted_regressor.row(at);
  }
  const auto n = static_cast<double>(rows.size()), fitted = static_cast<double>(inverse.cols());
  return n / (n - fitted) * (inverse * long_run_covariance(scores) * inverse);
}

}  // namespace tauhat
