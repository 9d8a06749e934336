// Exact discretisation of x' = A x + w, w white with spectral density q, diagonal or not:
//   Phi = exp(A h),   Qd = integral_0^h exp(A s) q exp(A s)^T ds   (Van Loan 1978, the same integrals)
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

// Qd = sum_j h^(j+1)/(j+1)! L^j(q)
template <class T, int N, int Rows>
PaddedMatrix<T, N> noise_of(const Eigen::Matrix<T, Rows, N>& x, const Eigen::Matrix<T, Rows, N>& q, T h) noexcept {
  PaddedMatrix<T, N> term = q * h, sum = term;
  for (int j = 1; j <= kNoiseOrder<T>; ++j) {
    const PaddedMatrix<T, N> product = multiply(x, term), reflected = transposed(product);
    term = (product + reflected) * (T(1) / static_cast<T>(j + 1));
    sum += term;
  }
  return sum;
}

// The powers of A h, on as short an interval as the series needs.
template <class T, int N>
struct Halved {
  Powers<T, N> powers;
  int doublings;

  Halved(const Matrix<T, N>& a, T interval) noexcept
      : powers(padded<T, N>(a * interval)), doublings(doublings_for(powers)) {
    powers.halve(doublings);
  }
};

template <class T, int N>
Discrete<T, N> discretise_padded(const Matrix<T, N>& a, const PaddedMatrix<T, N>& q, T interval) noexcept {
  const Halved<T, N> halved(a, interval);
  Discrete<T, N> result;
  result.transition = exponential(halved.powers);
  result.noise = noise_of<T, N>(halved.powers.x, q, std::ldexp(interval, -halved.doublings));
  for (int i = 0; i < halved.doublings; ++i) {
    const PaddedMatrix<T, N> lower = lower_covariance<N>(result.transition, result.noise, result.noise);
    mirror_lower(lower, result.noise);
    const PaddedMatrix<T, N> squared = multiply(result.transition, result.transition);
    result.transition = squared;
  }
  return result;
}

}  // namespace discretise_detail

// The noises of the states' derivatives are independent: their densities.
template <class T, int N>
Discrete<T, N> discretise(const Matrix<T, N>& a, const Vector<T, N>& q, T interval) noexcept {
  PaddedMatrix<T, N> density = PaddedMatrix<T, N>::Zero();
  density.diagonal() = q;
  return discretise_detail::discretise_padded<T, N>(a, density, interval);
}

// They are not: a symmetric density.
template <class T, int N>
Discrete<T, N> discretise_correlated(const Matrix<T, N>& a, const Matrix<T, N>& q, T interval) noexcept {
  return discretise_detail::discretise_padded<T, N>(a, padded<T, N>(q), interval);
}

// Phi alone.
template <class T, int N>
Matrix<T, N> transition_over(const Matrix<T, N>& a, T interval) noexcept {
  const discretise_detail::Halved<T, N> halved(a, interval);
  PaddedMatrix<T, N> transition = discretise_detail::exponential(halved.powers);
  for (int i = 0; i < halved.doublings; ++i) {
    const PaddedMatrix<T, N> squared = multiply(transition, transition);
    transition = squared;
  }
  return transition.template topRows<N>();
}

}  // namespace tauhat
