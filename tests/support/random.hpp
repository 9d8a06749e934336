// Seeded draws for tests: numbers, matrices, covariances, samples of a Gaussian.
#pragma once

#include <Eigen/Cholesky>

#include <random>

#include "tauhat/core/gaussian.hpp"

namespace tauhat {

class Draw {
 public:
  explicit Draw(std::uint64_t seed) : engine_(seed) {}

  double normal() { return normal_(engine_); }
  double between(double lower, double upper) { return std::uniform_real_distribution<double>(lower, upper)(engine_); }

  template <class T, int Rows, int Columns = 1>
  Matrix<T, Rows, Columns> matrix() {
    return Matrix<T, Rows, Columns>::NullaryExpr(
        [this](Eigen::Index, Eigen::Index) { return static_cast<T>(normal()); });
  }

  // M M^T + I / 10: symmetric, positive, with condition numbers up to some hundreds.
  template <class T, int N>
  Matrix<T, N> covariance() {
    const Matrix<T, N> root = matrix<T, N, N>();
    return root * root.transpose() + T(0.1) * Matrix<T, N>::Identity();
  }

  // A sample of N(0, covariance), which may be singular: by L D L^T of the correlations.
  template <int N>
  Vector<double, N> sample(const Matrix<double, N>& covariance) {
    const Vector<double, N> scale = covariance.diagonal().cwiseMax(1e-300).cwiseSqrt();
    const Matrix<double, N> correlation =
        scale.cwiseInverse().asDiagonal() * covariance * scale.cwiseInverse().asDiagonal();
    const Eigen::LDLT<Matrix<double, N>> factor(correlation);
    const Vector<double, N> root = factor.vectorD().cwiseMax(0.0).cwiseSqrt();
    const Vector<double, N> white = root.cwiseProduct(matrix<double, N>());
    const Vector<double, N> coloured = factor.matrixL() * white;
    return scale.cwiseProduct(Vector<double, N>(factor.transpositionsP().transpose() * coloured));
  }

 private:
  std::mt19937_64 engine_;
  std::normal_distribution<double> normal_;
};

}  // namespace tauhat
