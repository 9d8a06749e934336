// Mean and covariance of N states: a value. The covariance is stored padded (math/matrix.hpp).
#pragma once

#include <Eigen/Cholesky>

#include "tauhat/core/math/matrix.hpp"

namespace tauhat {

template <class T, int N>
struct Gaussian {
  Vector<T, N> mean = Vector<T, N>::Zero();
  PaddedMatrix<T, N> padded_covariance = PaddedMatrix<T, N>::Zero();

  Gaussian() = default;
  Gaussian(const Vector<T, N>& m, const Matrix<T, N>& p) : mean(m) { covariance() = p; }

  static Gaussian from_variances(const Vector<T, N>& m, const Vector<T, N>& variances) {
    return {m, Matrix<T, N>(variances.asDiagonal())};
  }

  auto covariance() { return padded_covariance.template topRows<N>(); }
  auto covariance() const { return padded_covariance.template topRows<N>(); }
};

// Definite in the sense that survives scaling: the Cholesky factor of the correlation matrix exists. (States of a drive
// differ by 10^6 in size; a test of the raw matrix would only see the largest.)
template <class T, int N>
bool is_definite(const Gaussian<T, N>& belief) {
  const Vector<T, N> variances = belief.covariance().diagonal();
  if (!(variances.minCoeff() > T(0)) || !variances.allFinite()) return false;
  const Vector<T, N> scale = variances.cwiseSqrt().cwiseInverse();
  const Matrix<T, N> correlation = scale.asDiagonal() * belief.covariance() * scale.asDiagonal();
  const Eigen::LLT<Matrix<T, N>> factor(correlation);
  return factor.info() == Eigen::Success;
}

}  // namespace tauhat
