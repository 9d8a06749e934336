// Exact discretisation of x' = A x + w, w white with spectral density diag(q):
//   Phi = exp(A h),   Qd = integral_0^h exp(A s) diag(q) exp(A s)^T ds       (Van Loan 1978, the same integrals)
//
// Both come from their Taylor series on a short interval h/2^s, then s doublings:
//   Phi(2h) = Phi(h)^2,   Qd(2h) = Qd(h) + Phi(h) Qd(h) Phi(h)^T
// Van Loan's block matrix needs exp(-A h) as well, which overflows for the stiff friction pole at standstill
// (2e4 1/s); the doubling never does.
#pragma once

#include <algorithm>
#include <cmath>

#include "tauhat/core/math/matrix.hpp"

namespace tauhat {

template <class T, int N>
struct Discrete {
  PaddedMatrix<T, N> transition = PaddedMatrix<T, N>::Zero();
  PaddedMatrix<T, N> noise = PaddedMatrix<T, N>::Zero();
};

namespace discretise_detail {

// On an interval with |A h| <= 1/4 the remainder after this order is below 1e-14 (double) and 1e-8 (float).
template <class T>
inline constexpr int kTaylorOrder = sizeof(T) >= 8 ? 10 : 5;
inline constexpr int kMaxDoublings = 40;

template <class T, int N>
int doublings_for(const Matrix<T, N>& a, T interval) noexcept {
  const T norm = a.cwiseAbs().colwise().sum().maxCoeff() * interval;
  if (!(norm > T(0.25))) return 0;
  return std::min(kMaxDoublings, static_cast<int>(std::ceil(std::log2(norm / T(0.25)))));
}

template <class T, int N>
Discrete<T, N> taylor(const Matrix<T, N>& a, const Vector<T, N>& q, T h) noexcept {
  PaddedMatrix<T, N> scaled = PaddedMatrix<T, N>::Zero();
  scaled.template topRows<N>() = a * h;
  Discrete<T, N> result;
  result.transition.template topRows<N>().setIdentity();
  result.noise.template topRows<N>().diagonal() = q * h;
  PaddedMatrix<T, N> power = result.transition, spread = result.noise, product;
  for (int order = 1; order <= kTaylorOrder<T>; ++order) {
    // exp(A h) = sum (A h)^j / j!
    multiply_columns<N>(scaled, power, product);
    power = product * (T(1) / static_cast<T>(order));
    result.transition += power;
    // Qd = sum_j h^(j+1)/(j+1)! L^j(diag q), L(X) = A X + X A^T
    multiply_columns<N>(scaled, spread, product);
    spread.template topRows<N>() =
        (product.template topRows<N>() + product.template topRows<N>().transpose()) * (T(1) / static_cast<T>(order + 1));
    result.noise += spread;
  }
  return result;
}

}  // namespace discretise_detail

template <class T, int N>
Discrete<T, N> discretise(const Matrix<T, N>& a, const Vector<T, N>& q, T interval) noexcept {
  const int doublings = discretise_detail::doublings_for<T, N>(a, interval);
  Discrete<T, N> result = discretise_detail::taylor<T, N>(a, q, std::ldexp(interval, -doublings));
  PaddedMatrix<T, N> left, product;
  for (int i = 0; i < doublings; ++i) {
    multiply_columns<N>(result.transition, result.noise, left);
    multiply_columns_transposed<N>(left, result.transition, product);
    result.noise += product;
    multiply_columns<N>(result.transition, result.transition, left);
    result.transition = left;
  }
  return result;
}

}  // namespace tauhat
