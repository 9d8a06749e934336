// Eigenvalues of a small real matrix by the double-shift QR iteration (Francis 1961), in balanced scales; and poles of
// a sampled system, as those of A - I: at a short period all crowd at one, and what distinguishes them is in the last
// digits of A. (Written out because Eigen's solver, which also finds vectors, takes a quarter of a minute to compile
// for every size.)
#pragma once

#include "tauhat/core/linear/balance.hpp"
#include "tauhat/core/linear/hessenberg.hpp"
#include "tauhat/core/linear/poles.hpp"

namespace tauhat {

namespace spectrum_detail {

template <class T, int N>
class FrancisIteration {
 public:
  explicit FrancisIteration(const Matrix<T, N>& hessenberg) noexcept
      : h_(hessenberg), norm_(hessenberg.norm()), found_(Poles<T, N>::Zero(hessenberg.rows())) {}

  // NaN where the iteration does not end.
  Poles<T, N> eigenvalues() noexcept {
    constexpr int kMostSteps = 40;
    for (int last = rows_of(h_) - 1, steps = 0; last >= 0;) {
      const int first = block_start(last);
      if (first == last) {
        found_[last] = h_(last, last);
      } else if (first == last - 1) {
        find_pair(last);
      } else if (++steps > kMostSteps) {
        return Poles<T, N>::Constant(h_.rows(), std::numeric_limits<T>::quiet_NaN());
      } else {
        step(first, last, steps % 11 == 10);
        continue;
      }
      last = first - 1, steps = 0;
    }
    return found_;
  }

 private:
  // Where the last block begins that no zero of the subdiagonal splits.
  int block_start(int last) noexcept {
    for (int i = last; i > 0; --i) {
      const T beside = std::abs(h_(i - 1, i - 1)) + std::abs(h_(i, i));
      const T scale = beside > T(0) ? beside : norm_;
      if (std::abs(h_(i, i - 1)) <= std::numeric_limits<T>::epsilon() * scale) return h_(i, i - 1) = T(0), i;
    }
    return 0;
  }

  // Of the 2 x 2 block that ends at `last`: its mean and half its difference give both.
  void find_pair(int last) noexcept {
    const T x = h_(last, last), w = h_(last, last - 1) * h_(last - 1, last);
    const T half = (h_(last - 1, last - 1) - x) / T(2), square = half * half + w;
    const T root = std::sqrt(std::abs(square));
    if (square < T(0)) {
      found_[last - 1] = {x + half, root}, found_[last] = {x + half, -root};
    } else {
      const T further = half + std::copysign(root, half);
      found_[last - 1] = x + further;
      found_[last] = further != T(0) ? x - w / further : x;
    }
  }

  // H <- Z^T H Z, the shifts being the eigenvalues of the last 2 x 2 block (or, once in a while, anything else: there
  // are matrices that those leave as they are).
  void step(int first, int last, bool exceptional) noexcept {
    T x = h_(last, last), y = h_(last - 1, last - 1), w = h_(last, last - 1) * h_(last - 1, last);
    if (exceptional) {
      const T size = std::abs(h_(last, last - 1)) + std::abs(h_(last - 1, last - 2));
      x = y = x + T(0.75) * size, w = T(-0.4375) * size * size;
    }
    // The first column of (H - s1)(H - s2), over its subdiagonal element.
    const T z = h_(first, first);
    Vector<T, 3> bulge(((x - z) * (y - z) - w) / h_(first + 1, first) + h_(first, first + 1),
                       h_(first + 1, first + 1) - z - (x - z) - (y - z), h_(first + 2, first + 1));
    for (int k = first; k < last; ++k) {
      const int height = std::min(3, last - k + 1);
      if (k > first) {
        for (int i = 0; i < 3; ++i) bulge[i] = i < height ? h_(k + i, k - 1) : T(0);
      }
      chase(reflection_onto<T, 3>(bulge, 0), k, height, first, last);
    }
  }

  // The reflection of rows and columns k, k + 1, k + 2, within the block.
  void chase(const Reflection<T, 3>& reflection, int k, int height, int first, int last) noexcept {
    const auto& v = reflection.normal;
    for (int j = std::max(k - 1, first); j <= last; ++j) {
      T along = T(0);
      for (int i = 0; i < height; ++i) along += v[i] * h_(k + i, j);
      for (int i = 0; i < height; ++i) h_(k + i, j) -= reflection.factor * along * v[i];
    }
    for (int i = first; i <= std::min(k + 3, last); ++i) {
      T along = T(0);
      for (int j = 0; j < height; ++j) along += v[j] * h_(i, k + j);
      for (int j = 0; j < height; ++j) h_(i, k + j) -= reflection.factor * along * v[j];
    }
  }

  Matrix<T, N> h_;
  T norm_;
  Poles<T, N> found_;
};

}  // namespace spectrum_detail

template <class T, int N>
Poles<T, N> eigenvalues(const Matrix<T, N>& a) noexcept {
  if (!a.allFinite()) return Poles<T, N>::Constant(a.rows(), std::numeric_limits<T>::quiet_NaN());
  Matrix<T, N> h = scaled<T, N>(a, balancing_scales<T, N>(a));
  reduce_to_hessenberg<T, N>(h);
  return spectrum_detail::FrancisIteration<T, N>(h).eigenvalues();
}

template <class T, int N>
Poles<T, N> sampled_poles(const Matrix<T, N>& a) noexcept {
  const Matrix<T, N> change = a - identity_like<T, N>(a);
  return (eigenvalues<T, N>(change).array() + std::complex<T>(1)).matrix();
}

// NaN where the poles are not found: no comparison holds.
template <class T, int N>
T spectral_radius(const Matrix<T, N>& a) noexcept {
  T radius = T(0);
  for (const std::complex<T>& pole : sampled_poles<T, N>(a)) {
    if (!(std::abs(pole) <= radius)) radius = std::abs(pole);
  }
  return radius;
}

}  // namespace tauhat
