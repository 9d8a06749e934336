// A stretch of instants as one step backwards: how the adjoint pair at its end becomes that at its beginning.
//   lambda -> A lambda + b,   Lambda -> A Lambda A^T + B
// Stretches that follow each other compose without an inverse, which is what a smoother with a fixed lag needs.
#pragma once

#include <span>

#include "tauhat/core/filters/smoother.hpp"

namespace tauhat {

template <class T, int N>
struct AdjointMap {
  PaddedMatrix<T, N> a = PaddedMatrix<T, N>::Identity();
  PaddedVector<T, N> b = PaddedVector<T, N>::Zero();
  PaddedMatrix<T, N> information = PaddedMatrix<T, N>::Zero();

  AdjointMap() = default;

  // One instant: its corrections, last first (A <- C^T A, C = I - K h^T), then the transition that led to it
  // (A <- Phi^T A).
  AdjointMap(const PaddedMatrix<T, N>& transition, std::span<const CorrectionRecord<T, N>> corrections) noexcept {
    BackwardSweep<T, N> sweep;
    for (std::size_t i = corrections.size(); i-- > 0;) {
      const auto& [innovation, variance, h, k] = corrections[i];
      const Eigen::Matrix<T, 1, N> row = k.transpose() * a.template topRows<N>();
      a.template topRows<N>() -= h * row;
    }
    const PaddedMatrix<T, N> corrected = a;
    a = multiply(transposed(transition), corrected);
    sweep.absorb(transition, corrections);
    b.template head<N>() = sweep.adjoint();
    information = sweep.information();
  }

  // This stretch before `later`.
  AdjointMap followed_by(const AdjointMap& later) const noexcept {
    AdjointMap both;
    both.a = multiply(a, later.a);
    both.b = carried(later.b) + b;
    const PaddedMatrix<T, N> lower = lower_covariance<N>(a, later.information, information);
    mirror_lower(lower, both.information);
    return both;
  }

  // What this stretch says at the beginning of `earlier`: b and B of followed_by, without A.
  void absorb(const AdjointMap& earlier) noexcept {
    const PaddedVector<T, N> before = earlier.carried(b) + earlier.b;
    b = before;
    const PaddedMatrix<T, N> lower = lower_covariance<N>(earlier.a, information, earlier.information);
    mirror_lower(lower, information);
  }

  PaddedVector<T, N> carried(const PaddedVector<T, N>& adjoint) const noexcept {
    PaddedVector<T, N> sum = a.col(0) * adjoint[0];
    for (int j = 1; j < N; ++j) sum += a.col(j) * adjoint[j];
    return sum;
  }

  // A belief x(k|k) with all that this stretch, which follows it, says.
  void smooth(Gaussian<T, N>& belief) const noexcept {
    belief.mean -= belief.covariance() * b.template head<N>();
    const PaddedMatrix<T, N> negative = -information;
    const PaddedMatrix<T, N> lower = lower_covariance<N>(belief.padded_covariance, negative, belief.padded_covariance);
    mirror_lower(lower, belief.padded_covariance);
  }
};

}  // namespace tauhat
