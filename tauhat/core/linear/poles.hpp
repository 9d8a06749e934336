// Poles as they are said, by frequency and damping, and as a sampled observer has them:
//   s = 2 pi f (-zeta +- j sqrt(1 - zeta^2)),   z = exp(s h)
// A real pole is a frequency alone. What a sampled observer cannot have is named, with the pole that it is.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <limits>
#include <numbers>

#include "tauhat/core/linear/sizes.hpp"

namespace tauhat {

template <class T, int N>
using Poles = Vector<std::complex<T>, N>;

template <class T>
struct Mode {
  T frequency = T(0);  // Hz
  T damping = T(1);    // of what neither swings nor decays, too
};

enum class PoleFault { none, missing, not_finite, not_stable, beyond_nyquist, without_conjugate };

struct PoleCheck {
  PoleFault fault = PoleFault::none;
  int index = -1;  // of the first pole at fault

  bool fine() const noexcept { return fault == PoleFault::none; }
};

template <class T>
Mode<T> mode_of_rate(const std::complex<T>& s) noexcept {
  const T rate = std::abs(s);
  if (rate == T(0)) return {};
  return {rate / (T(2) * std::numbers::pi_v<T>), -s.real() / rate};
}

template <class T>
Mode<T> mode_of(const std::complex<T>& z, T period) noexcept {
  return mode_of_rate<T>(std::log(z) / period);
}

// Poles of a sampled observer: inside the unit circle, and each with its conjugate.
template <class T, int N>
PoleCheck check_poles(const Poles<T, N>& poles) noexcept {
  const T rounding = T(100) * std::numeric_limits<T>::epsilon();
  const int count = rows_of(poles);
  Vector<bool, N> paired = Vector<bool, N>::Constant(count, false);
  for (int i = 0; i < count; ++i) {
    if (!std::isfinite(poles[i].real()) || !std::isfinite(poles[i].imag())) return {PoleFault::not_finite, i};
    if (!(std::abs(poles[i]) < T(1))) return {PoleFault::not_stable, i};
  }
  for (int i = 0; i < count; ++i) {
    if (paired[i] || poles[i].imag() == T(0)) continue;
    int partner = i + 1;
    while (partner < count && (paired[partner] || !(std::abs(poles[partner] - std::conj(poles[i])) <= rounding))) {
      ++partner;
    }
    if (partner == count) return {PoleFault::without_conjugate, i};
    paired[partner] = true;
  }
  return {};
}

// Collects poles until there are N of them, or as many as is said where N is Eigen::Dynamic.
template <class T, int N>
class ContinuousPoles {
 public:
  explicit ContinuousPoles(int wanted = N) noexcept : rates_(Poles<T, N>::Zero(wanted)) {}

  // Two poles: a conjugate pair, or where the damping is above one two real ones.
  ContinuousPoles& pair(T frequency, T damping) noexcept {
    const T rate = T(2) * std::numbers::pi_v<T> * frequency;
    const std::complex<T> swing = std::sqrt(std::complex<T>(damping * damping - T(1)));
    add(rate * (-damping + swing));
    add(rate * (-damping - swing));
    return *this;
  }
  ContinuousPoles& real(T frequency) noexcept {
    add(-T(2) * std::numbers::pi_v<T> * frequency);
    return *this;
  }

  int wanted() const noexcept { return rows_of(rates_); }
  int count() const noexcept { return count_; }
  const Poles<T, N>& rates() const noexcept { return rates_; }

  PoleCheck check(T period) const noexcept {
    if (count_ != wanted()) return {PoleFault::missing, std::min(count_, wanted())};
    for (int i = 0; i < count_; ++i) {
      if (!std::isfinite(std::abs(rates_[i]))) return {PoleFault::not_finite, i};
      if (!(rates_[i].real() < T(0))) return {PoleFault::not_stable, i};
      if (!(std::abs(rates_[i]) * period < std::numbers::pi_v<T>)) return {PoleFault::beyond_nyquist, i};
    }
    return {};
  }

  Poles<T, N> sampled(T period) const noexcept {
    Poles<T, N> z = rates_;
    for (int i = 0; i < wanted(); ++i) z[i] = std::exp(rates_[i] * period);
    return z;
  }

 private:
  void add(const std::complex<T>& rate) noexcept {
    if (count_ < wanted()) rates_[count_] = rate;
    ++count_;
  }

  Poles<T, N> rates_;
  int count_ = 0;
};

// The largest distance of a pole from the one that stands for it, each used once, nearest first; NaN where one is.
template <class T, int N>
T largest_distance(const Poles<T, N>& wanted, Poles<T, N> found) noexcept {
  T largest = T(0);
  for (int i = 0; i < rows_of(found); ++i) {
    int nearest = i;
    for (int j = i + 1; j < rows_of(found); ++j) {
      if (std::abs(found[j] - wanted[i]) < std::abs(found[nearest] - wanted[i])) nearest = j;
    }
    std::swap(found[i], found[nearest]);
    const T distance = std::abs(found[i] - wanted[i]);
    if (!(distance <= largest)) largest = distance;
    if (std::isnan(largest)) break;
  }
  return largest;
}

}  // namespace tauhat
