// Is a symmetric matrix a covariance: not negative in any direction?
#pragma once

#include <cmath>
#include <limits>

#include "tauhat/core/linear/sizes.hpp"

namespace tauhat {

// L D L^T of the correlations, the largest pivot first; D may end in zeros, within rounding.
template <class T, int N>
bool is_positive_semidefinite(const Matrix<T, N>& p) noexcept {
  const int states = rows_of(p);
  const T rounding = T(100 * states) * std::numeric_limits<T>::epsilon();
  if (!p.allFinite() || !(p.diagonal().minCoeff() >= T(0))) return false;
  Vector<T, N> scale(states);
  for (int i = 0; i < states; ++i) scale[i] = p(i, i) > T(0) ? T(1) / std::sqrt(p(i, i)) : T(1);
  Matrix<T, N> rest = scale.asDiagonal() * p * scale.asDiagonal();
  if (!((rest - rest.transpose()).cwiseAbs().maxCoeff() <= rounding)) return false;
  for (int k = 0; k < states; ++k) {
    int largest;
    const T pivot = rest.diagonal().maxCoeff(&largest);
    if (rest.diagonal().minCoeff() < -rounding) return false;
    if (!(pivot > rounding)) return rest.cwiseAbs().maxCoeff() <= std::sqrt(rounding);
    const Vector<T, N> column = rest.col(largest);
    rest -= column * column.transpose() / pivot;
  }
  return true;
}

}  // namespace tauhat
