// The covariance at which x+ = F x + w settles, by doubling (Smith 1968):
//   P = F P F^T + Q = Q + F Q F^T + F^2 Q F^2^T + ...      P_2k = P_k + F^k P_k F^k^T
#pragma once

#include <cmath>
#include <limits>

#include "tauhat/core/linear/sizes.hpp"

namespace tauhat {

template <class T, int N>
struct Lyapunov {
  Matrix<T, N> covariance = cleared<Matrix<T, N>>();
  T residual = std::numeric_limits<T>::infinity();  // of the equation, over the covariance
  bool converged = false;                           // not where F has a pole on or outside the unit circle
};

template <class T, int N>
Lyapunov<T, N> solve_discrete_lyapunov(const Matrix<T, N>& f, const Matrix<T, N>& q) noexcept {
  constexpr int kMostDoublings = 60;
  Lyapunov<T, N> result;
  Matrix<T, N> power = f, p = q;
  for (int k = 0; k < kMostDoublings && !result.converged; ++k) {
    const Matrix<T, N> step = power * p * power.transpose();
    const Matrix<T, N> squared = power * power;
    p += step;
    power = squared;
    const T size = p.norm();
    if (!std::isfinite(size)) return result;
    result.converged = step.norm() <= std::numeric_limits<T>::epsilon() * size;
  }
  result.covariance = (p + p.transpose()) / T(2);
  const T size = p.norm();
  result.residual = size > T(0) ? T((f * p * f.transpose() + q - p).norm() / size) : T(0);
  return result;
}

}  // namespace tauhat
