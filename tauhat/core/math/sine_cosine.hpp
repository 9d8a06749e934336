// Sines and cosines of several angles, which every step of a robot's dynamics begins with: to 3e-16 in double, without
// branches, so that a loop over the angles runs in vector registers.
//   x = k pi + r, |r| <= pi / 2:   sin x = (-1)^k sin r,  cos x = (-1)^k cos r,  both by their power series
#pragma once

#include <array>
#include <cmath>
#include <type_traits>

namespace tauhat {

template <class T>
struct SineCosine {
  T sine, cosine;
};

namespace sine_cosine_detail {

// 1/(2 n)! and 1/(2 n + 1)! with alternating signs: terms below a unit in the last place are left out.
template <class T>
inline constexpr int kTerms = sizeof(T) > 4 ? 12 : 7;

template <class T, int First>
constexpr std::array<T, kTerms<T>> series() {
  std::array<T, kTerms<T>> terms{};
  long double term = 1.0L;
  for (int n = 0; n < kTerms<T>; ++n) {
    terms[static_cast<std::size_t>(n)] = static_cast<T>(term);
    term /= -static_cast<long double>((2 * n + First + 1) * (2 * n + First + 2));
  }
  return terms;
}

template <class T, int First>
inline T sum(T square) noexcept {
  constexpr std::array<T, kTerms<T>> kSeries = series<T, First>();
  T result = kSeries[kTerms<T> - 1];
  for (int n = kTerms<T> - 2; n >= 0; --n) result = result * square + kSeries[static_cast<std::size_t>(n)];
  return result;
}

// To the nearest integer, by the rounding of a large sum.
template <class T>
inline T nearest(T x) noexcept {
  constexpr T kShift = sizeof(T) > 4 ? T(6755399441055744.0) : T(12582912.0);  // 1.5 * 2^52, 1.5 * 2^23
  return (x + kShift) - kShift;
}

}  // namespace sine_cosine_detail

// Up to this size pi's parts times k are exact.
template <class T>
inline constexpr T kLargestAngle = sizeof(T) > 4 ? T(1e5) : T(100);

// For angles up to kLargestAngle.
template <class T>
  requires std::is_floating_point_v<T>
inline SineCosine<T> sine_cosine_of_small(T x) noexcept {
  using namespace sine_cosine_detail;  // NOLINT(google-build-using-namespace)
  // pi in three parts, the first two with zeros at their end.
  constexpr T kFirst = sizeof(T) > 4 ? T(3.1415926534682512) : T(3.140625);
  constexpr T kSecond = sizeof(T) > 4 ? T(1.2154201012607932e-10) : T(0.0009675025939941406);
  constexpr T kThird = sizeof(T) > 4 ? T(4.044532497591901e-21) : T(1.5099579909783765e-07);
  const T k = nearest(x * T(0.318309886183790671537767526745028724L));
  const T r = ((x - k * kFirst) - k * kSecond) - k * kThird;
  const T odd = k - T(2) * nearest(k * T(0.5)), sign = T(1) - T(2) * odd * odd;
  const T square = r * r;
  return {sign * r * sum<T, 1>(square), sign * sum<T, 0>(square)};
}

// Of all elements of a vector.
template <class Vector>
inline SineCosine<Vector> sine_cosine(const Vector& angles) noexcept {
  using T = typename Vector::Scalar;
  SineCosine<Vector> result{angles, angles};
  if constexpr (std::is_floating_point_v<T>) {
    if (angles.cwiseAbs().sum() <= kLargestAngle<T>) {
      for (int i = 0; i < angles.size(); ++i) {
        const SineCosine<T> each = sine_cosine_of_small(angles[i]);
        result.sine[i] = each.sine;
        result.cosine[i] = each.cosine;
      }
      return result;
    }
  }
  using std::cos, std::sin;
  for (int i = 0; i < angles.size(); ++i) result.sine[i] = sin(angles[i]), result.cosine[i] = cos(angles[i]);
  return result;
}

}  // namespace tauhat
