#include "tauhat/offline/friction/long_run_covariance.hpp"

#include <algorithm>
#include <cmath>

namespace tauhat {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

// Parzen's kernel: positive, and zero from x = 1 on.
double parzen(double x) {
  return x <= 0.5 ? 1.0 - 6.0 * x * x * (1.0 - x) : x < 1.0 ? 2.0 * std::pow(1.0 - x, 3) : 0.0;
}

// A column's correlation with its predecessor.
double first_correlation(const Eigen::Ref<const VectorXd>& values) {
  const double square = values.squaredNorm();
  const Index pairs = values.size() - 1;
  return square > 0.0 ? values.tail(pairs).dot(values.head(pairs)) / square : 0.0;
}

// Andrews (1991), eq. 6.2 and 6.4, with each column's weight the inverse of its variance squared:
//   b = 2.6614 (alpha n)^(1/5),   alpha = sum 4 rho^2 s / (1 - rho)^8  /  sum s / (1 - rho)^4,   s = (1 - rho^2)^2
// Directions of motion change the sign of a score, which no autoregression sees: never less than a few neighbours.
constexpr double kShortestReach = 1.5;

double parzen_bandwidth(const MatrixXd& rows) {
  double numerator = 0.0, denominator = 0.0;
  for (Index j = 0; j < rows.cols(); ++j) {
    const double rho = std::clamp(first_correlation(rows.col(j)), -0.97, 0.97);
    const double innovation = std::pow(1.0 - rho * rho, 2);  // its variance, squared
    numerator += innovation * 4.0 * rho * rho / std::pow(1.0 - rho, 8);
    denominator += innovation / std::pow(1.0 - rho, 4);
  }
  const auto n = static_cast<double>(rows.rows());
  return std::max(kShortestReach * std::cbrt(n), 2.6614 * std::pow(numerator / denominator * n, 0.2));
}

MatrixXd parzen_covariance(const MatrixXd& rows, double bandwidth) {
  MatrixXd sum = rows.transpose() * rows;
  const auto last = std::min<Index>(rows.rows() - 1, static_cast<Index>(bandwidth));
  for (Index lag = 1; lag <= last; ++lag) {
    const Index overlap = rows.rows() - lag;
    const MatrixXd product = rows.bottomRows(overlap).transpose() * rows.topRows(overlap);
    sum += parzen(static_cast<double>(lag) / bandwidth) * (product + product.transpose());
  }
  return sum;
}

}  // namespace

LongRun long_run(const MatrixXd& rows) {
  constexpr double kMostCorrelated = 0.97;  // of the prewhitening: beyond it the sum would be all extrapolation
  MatrixXd white = rows;
  VectorXd colour(rows.cols());
  for (Index j = 0; j < rows.cols(); ++j) {
    const double rho = std::clamp(first_correlation(rows.col(j)), 0.0, kMostCorrelated);
    white.col(j).tail(rows.rows() - 1) -= rho * rows.col(j).head(rows.rows() - 1);
    white(0, j) *= std::sqrt(1.0 - rho * rho);
    colour[j] = 1.0 / (1.0 - rho);
  }
  const double bandwidth = parzen_bandwidth(white);
  return {colour.asDiagonal() * parzen_covariance(white, bandwidth) * colour.asDiagonal(), bandwidth};
}

MatrixXd long_run_covariance(const MatrixXd& rows) { return long_run(rows).covariance; }

MatrixXd sums_in_blocks(const MatrixXd& rows) {
  const Index length = std::max<Index>(1, rows.rows() / 100), blocks = rows.rows() / length;
  MatrixXd sums(blocks, rows.cols());
  for (Index i = 0; i < blocks; ++i) sums.row(i) = rows.middleRows(i * length, length).colwise().sum();
  return sums;
}

double long_run_freedom(const VectorXd& variances, double bandwidth) {
  double squares = variances.squaredNorm();
  const auto last = std::min<Index>(variances.size() - 1, static_cast<Index>(bandwidth));
  for (Index lag = 1; lag <= last; ++lag) {
    const Index overlap = variances.size() - lag;
    const double weight = parzen(static_cast<double>(lag) / bandwidth);
    squares += 2.0 * weight * weight * variances.tail(overlap).dot(variances.head(overlap));
  }
  return variances.sum() * variances.sum() / squares;
}

}  // namespace tauhat
