// Scales for the states of x' = A x, so that what each takes from the others is as large as what it gives them:
//   D^-1 A D,  D diagonal                                                  (Osborne 1960, Parlett and Reinsch 1969)
// Radians of a motor, of a link behind a gear of 120, and newton metres: unscaled, rounding in the largest number hides
// the smallest. D is of powers of two, so that scaling itself rounds nothing.
#pragma once

#include <cmath>

#include "tauhat/core/linear/sizes.hpp"

namespace tauhat {

namespace balance_detail {

template <class T>
T power_of_two_near(T x) noexcept {
  return std::ldexp(T(1), static_cast<int>(std::lround(std::log2(x))));
}

// One state: returns whether its scale has changed.
template <class T, int N>
bool balance_state(Matrix<T, N>& a, int i, T typical, T& scale) noexcept {
  const T own = std::abs(a(i, i));
  T given = a.col(i).template lpNorm<1>() - own, taken = a.row(i).template lpNorm<1>() - own;
  const bool one_way = !(given > typical * T(1e-30)) || !(taken > typical * T(1e-30));
  // A constant takes nothing, an integral nobody reads gives nothing: what there is becomes as large as the others'.
  if (!(given > typical * T(1e-30))) given = typical;
  if (!(taken > typical * T(1e-30))) taken = typical;
  const T factor = power_of_two_near(std::sqrt(taken / given));
  const bool better = one_way ? factor != T(1) : given * factor + taken / factor < T(0.95) * (given + taken);
  if (!better) return false;
  a.col(i) *= factor;
  a.row(i) /= factor;
  scale *= factor;
  return true;
}

}  // namespace balance_detail

// The diagonal of D.
template <class T, int N>
Vector<T, N> balancing_scales(Matrix<T, N> a) noexcept {
  constexpr int kMostSweeps = 20;
  const int states = rows_of(a);
  Vector<T, N> scales = Vector<T, N>::Ones(states);
  if (!a.allFinite() || a.isZero(T(0))) return scales;
  for (int sweep = 0; sweep < kMostSweeps; ++sweep) {
    const T typical = a.norm() / static_cast<T>(states);
    bool changed = false;
    for (int i = 0; i < states; ++i) changed |= balance_detail::balance_state<T, N>(a, i, typical, scales[i]);
    if (!changed) break;
  }
  return scales;
}

template <class T, int N>
Matrix<T, N> scaled(const Matrix<T, N>& a, const Vector<T, N>& scales) noexcept {
  return scales.cwiseInverse().asDiagonal() * a * scales.asDiagonal();
}

}  // namespace tauhat
