// Exact discretisation of x' = A x + w, w white with spectral density diag(q):
//   Phi = exp(A h),   Qd = integral_0^h exp(A s) diag(q) exp(A s)^T ds       (Van Loan 1978, the same integrals)
//
// Both come from their Taylor series on a short interval h/2^s, then s doublings:
//   Phi(2h) = Phi(h)^2,   Qd(2h) = Qd(h) + Phi(h) Qd(h) Phi(h)^T
// Van Loan's block matrix needs exp(-A h) as well, which overflows for the stiff friction pole at standstill
// (2e4 1/s); the doubling never does.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>

#include "tauhat/core/math/matrix.hpp"

namespace tauhat {

template <class T, int N>
struct Discrete {
  PaddedMatrix<T, N> transition = PaddedMatrix<T, N>::Zero();
  PaddedMatrix<T, N> noise = PaddedMatrix<T, N>::Zero();
};

namespace discretise_detail {

// On an interval with |A h| <= 1/4 the remainder of the transition after this order is below 1e-15 (double) and 1e-6
// of the unit in the last place (float).
template <class T>
inline constexpr std::size_t kGroupsOfThree = sizeof(T) >= 8 ? 4 : 2;
// The noise's series is in L(X) = A h X + X (A h)^T, |L| <= 1/2, with one factorial more: 1e-12 and 2e-5 at worst.
template <class T>
inline constexpr int kNoiseOrder = sizeof(T) >= 8 ? 10 : 5;
inline constexpr int kMaxDoublings = 40;

// The number of halvings that bring the norm down to 1/4.
template <class T, int N>
int doublings_for(const Matrix<T, N>& a, T interval) noexcept {
  const T norm = a.cwiseAbs().colwise().sum().maxCoeff() * interval;
  if (!(norm > T(0.25))) return 0;
  return std::min(kMaxDoublings, std::ilogb(norm) + 3);
}

template <class T>
inline constexpr std::array<T, 12> kInverseFactorial = [] {
  std::array<T, 12> inverse{};
  double factorial = 1.0;
  for (std::size_t j = 0; j < inverse.size(); factorial *= static_cast<double>(++j)) inverse[j] = T(1.0 / factorial);
  return inverse;
}();

// exp(x) = sum x^j / j! in groups of three, (I + x + x^2/2)/0! + x^3 (I/3! + x/4! + x^2/5!) + ..., by Horner's rule in
// x^3 (Paterson and Stockmeyer 1973): degree 11 takes five products.
template <class T, int N>
PaddedMatrix<T, N> exponential(const PaddedMatrix<T, N>& x) noexcept {
  const PaddedMatrix<T, N> square = multiply(x, x), cube = multiply(square, x);
  const auto group = [&](std::size_t j) {
    PaddedMatrix<T, N> sum = x * kInverseFactorial<T>[j + 1] + square * kInverseFactorial<T>[j + 2];
    sum.diagonal().array() += kInverseFactorial<T>[j];
    return sum;
  };
  PaddedMatrix<T, N> sum = group(3 * (kGroupsOfThree<T> - 1));
  for (std::size_t i = kGroupsOfThree<T> - 1; i-- > 0;) {
    const PaddedMatrix<T, N> next = multiply_add(cube, sum, group(3 * i));
    sum = next;
  }
  return sum;
}

// Qd = sum_j h^(j+1)/(j+1)! L^j(diag q)
template <class T, int N>
PaddedMatrix<T, N> noise_of(const PaddedMatrix<T, N>& x, const Vector<T, N>& q, T h) noexcept {
  PaddedMatrix<T, N> term = PaddedMatrix<T, N>::Zero();
  term.diagonal() = q * h;
  PaddedMatrix<T, N> sum = term;
  for (int j = 1; j <= kNoiseOrder<T>; ++j) {
    const PaddedMatrix<T, N> product = multiply(x, term), reflected = transposed(product);
    term = (product + reflected) * (T(1) / static_cast<T>(j + 1));
    sum += term;
  }
  return sum;
}

}  // namespace discretise_detail

template <class T, int N>
Discrete<T, N> discretise(const Matrix<T, N>& a, const Vector<T, N>& q, T interval) noexcept {
  const int doublings = discretise_detail::doublings_for<T, N>(a, interval);
  const T h = std::ldexp(interval, -doublings);
  PaddedMatrix<T, N> x = PaddedMatrix<T, N>::Zero();
  x.template topRows<N>() = a * h;
  Discrete<T, N> result;
  result.transition = discretise_detail::exponential<T, N>(x);
  result.noise = discretise_detail::noise_of<T, N>(x, q, h);
  for (int i = 0; i < doublings; ++i) {
    PaddedMatrix<T, N> spread = result.noise;
    transform_covariance<N>(result.transition, result.noise, spread);
    result.noise = spread;
    const PaddedMatrix<T, N> squared = multiply(result.transition, result.transition);
    result.transition = squared;
  }
  return result;
}

}  // namespace tauhat
