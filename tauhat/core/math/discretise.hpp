// Exact discretisation of x' = A x + w, w white with spectral density diag(q):
//   Phi = exp(A h),   Qd = integral_0^h exp(A s) diag(q) exp(A s)^T ds   (Van Loan 1978, the same integrals)
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

// On an interval with |A h| <= 1/4 the transition's remainder is below 2e-16 (degree 11, double) and 2e-11
// (degree 8, float).
template <class T>
inline constexpr std::size_t kGroupsOfThree = sizeof(T) >= 8 ? 4 : 3;
// The noise's series is in L(X) = A h X + X (A h)^T, |L| <= 1/2: below 1e-12 (double) and 3e-6 (float) of
// q h.
template <class T>
inline constexpr int kNoiseOrder = sizeof(T) >= 8 ? 10 : 6;
inline constexpr int kMaxDoublings = 40;

// The first powers of x = A h.
template <class T, int N>
struct Powers {
  PaddedMatrix<T, N> x, square, cube;

  explicit Powers(const PaddedMatrix<T, N>& first) noexcept
      : x(first), square(multiply(x, x)), cube(multiply(square, x)) {}

  void halve(int times) noexcept {
    const T factor = std::ldexp(T(1), -times);
    x *= factor;
    square *= factor * factor;
    cube *= factor * factor * factor;
  }
};

// The binary exponent of the largest row sum, so that |x| < 2^(exponent + 1).
template <class T, int Rows, int N>
int exponent_of(const Eigen::Matrix<T, Rows, N>& x) noexcept {
  Vector<T, Rows> sum = x.col(0).cwiseAbs();
  for (int j = 1; j < N; ++j) sum += x.col(j).cwiseAbs();
  const T norm = sum.maxCoeff();
  return norm > T(0) && std::isfinite(norm) ? std::ilogb(norm) : -1000;
}

// Halvings until what governs the series is at most 1/4: max(|x^2|^(1/2), |x^3|^(1/3)), which is often far
// below |x| (Al-Mohy and Higham 2009, theorem 4.2): a torque that accelerates a small inertia is large in x,
// but not in x^2.
template <class T, int N>
int doublings_for(const Powers<T, N>& powers) noexcept {
  const auto divided_up = [](int a, int b) { return a > 0 ? (a + b - 1) / b : a / b; };
  const int by_norm = exponent_of(powers.x) + 1;
  const int by_powers =
      std::max(divided_up(exponent_of(powers.square) + 1, 2), divided_up(exponent_of(powers.cube) + 1, 3));
  return std::clamp(2 + std::min(by_norm, by_powers), 0, kMaxDoublings);
}

template <class T>
inline constexpr std::array<T, 12> kInverseFactorial = [] {
  std::array<T, 12> inverse{};
  double factorial = 1.0;
  for (std::size_t j = 0; j < inverse.size(); factorial *= static_cast<double>(++j)) {
    inverse[j] = T(1.0 / factorial);
  }
  return inverse;
}();

// exp(x) = sum x^j / j! in groups of three, (I + x + x^2/2)/0! + x^3 (I/3! + x/4! + x^2/5!) + ..., by
// Horner's rule in x^3 (Paterson and Stockmeyer 1973): degree 11 takes five products.
template <class T, int N>
PaddedMatrix<T, N> exponential(const Powers<T, N>& powers) noexcept {
  const auto group = [&](std::size_t j) {
    PaddedMatrix<T, N> sum = powers.x * kInverseFactorial<T>[j + 1] + powers.square * kInverseFactorial<T>[j + 2];
    sum.diagonal().array() += kInverseFactorial<T>[j];
    return sum;
  };
  PaddedMatrix<T, N> sum = group(3 * (kGroupsOfThree<T> - 1));
  for (std::size_t i = kGroupsOfThree<T> - 1; i-- > 0;) {
    const PaddedMatrix<T, N> next = multiply_add(powers.cube, sum, group(3 * i));
    sum = next;
  }
  return sum;
}

// Qd = sum_j h^(j+1)/(j+1)! L^j(diag q)
template <class T, int N, int Rows>
PaddedMatrix<T, N> noise_of(const Eigen::Matrix<T, Rows, N>& x, const Vector<T, N>& q, T h) noexcept {
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
  PaddedMatrix<T, N> x = PaddedMatrix<T, N>::Zero();
  x.template topRows<N>() = a * interval;
  discretise_detail::Powers<T, N> powers(x);
  const int doublings = discretise_detail::doublings_for(powers);
  powers.halve(doublings);
  Discrete<T, N> result;
  result.transition = discretise_detail::exponential(powers);
  result.noise = discretise_detail::noise_of(powers.x, q, std::ldexp(interval, -doublings));
  for (int i = 0; i < doublings; ++i) {
    const PaddedMatrix<T, N> lower = lower_covariance<N>(result.transition, result.noise, result.noise);
    mirror_lower(lower, result.noise);
    const PaddedMatrix<T, N> squared = multiply(result.transition, result.transition);
    result.transition = squared;
  }
  return result;
}

}  // namespace tauhat
