// A second-order system over one step, its input and what drives it held: the exponential, by blocks.
//   q' = v,  v' = Aq q + Av v + g
// The columns of the transition that begin at v hold all the others. With V = Phi_vv, W = V's integral over the step,
// U = W's and Y = U's,
//   Phi = [1 + U Aq, W; W Aq, V],     by g:  [U; W],     from (v, a) at the start:
//   dq = h v + U a + Y Aq v,  dv = W a + U Aq v
// V's Taylor series is C_k h^k / k! with C_(k+1) = Av C_k + Aq C_(k-1): two products of the joints' size a term, where
// the exponential of [[A, F], [0, 0]] has them of the states'. A steep friction at rest is met by halving the step.
#pragma once

#include <cmath>

#include "tauhat/core/robot/sizes.hpp"

namespace tauhat {

template <class T, int N>
struct SecondOrderTransition {
  PaddedMatrix<T, N> v, w, u, y;  // V and its three integrals
};

namespace force_transition_detail {

// Largest rate times step that the series is used for, and what its remainder may be.
template <class T>
inline constexpr T kLargestRate = T(1);
template <class T>
inline constexpr T kRemainder = sizeof(T) > 4 ? T(1e-12) : T(1e-8);
inline constexpr int kMaxDoublings = 40;

// |Av| h + |Aq|^(1/2) h bounds the terms: |C_k| h^k <= (that)^k.
template <class T, int Rows, int N>
T rate_of(const Eigen::Matrix<T, Rows, N>& by_position, const Eigen::Matrix<T, Rows, N>& by_velocity) noexcept {
  Vector<T, Rows> position = by_position.col(0).cwiseAbs(), velocity = by_velocity.col(0).cwiseAbs();
  for (int j = 1; j < N; ++j) {
    position += by_position.col(j).cwiseAbs();
    velocity += by_velocity.col(j).cwiseAbs();
  }
  return velocity.maxCoeff() + std::sqrt(position.maxCoeff());
}

template <class T, int Rows, int N>
SecondOrderTransition<T, N> series(const Eigen::Matrix<T, Rows, N>& by_position,
                                   const Eigen::Matrix<T, Rows, N>& by_velocity, T h, T rate) noexcept {
  using Block = Eigen::Matrix<T, Rows, N>;
  const Block first = by_velocity * h, second = by_position * (h * h);
  Block before = Block::Identity(), term = first;  // C_(k-1) h^(k-1) / (k-1)! and C_k h^k / k!
  SecondOrderTransition<T, N> sum;
  sum.v = before + term;
  sum.w = before + term * (T(1) / T(2));
  sum.u = before * (T(1) / T(2)) + term * (T(1) / T(6));
  sum.y = before * (T(1) / T(6)) + term * (T(1) / T(24));
  T bound = rate;
  for (int k = 1; bound > kRemainder<T>; ++k) {
    // Numbers are divided, matrices multiplied: a register of quotients takes many times as long.
    const T n = static_cast<T>(k + 1), once = T(1) / (n + T(1)), twice = once / (n + T(2)), thrice = twice / (n + T(3));
    const T by_before = T(1) / (n * static_cast<T>(k)), by_term = T(1) / n;
    const Block scaled_before = before * by_before, scaled_term = term * by_term;
    const Block next = multiply_add(second, scaled_before, multiply(first, scaled_term));
    before = term;
    term = next;
    sum.v += term;
    sum.w += term * once;
    sum.u += term * twice;
    sum.y += term * thrice;
    bound *= rate * by_term;
  }
  sum.w *= h;
  sum.u *= h * h;
  sum.y *= h * h * h;
  return sum;
}

// Over two such steps.
template <class T, int Rows, int N>
SecondOrderTransition<T, N> doubled(const SecondOrderTransition<T, N>& s, const Eigen::Matrix<T, Rows, N>& by_position,
                                    T h) noexcept {
  using Block = Eigen::Matrix<T, Rows, N>;
  Block from_position = multiply(s.u, by_position);  // Phi_qq
  from_position.diagonal().array() += T(1);
  const Block pushed = multiply(s.w, by_position);  // Phi_vq
  SecondOrderTransition<T, N> twice;
  twice.v = multiply_add(pushed, s.w, multiply(s.v, s.v));
  twice.w = multiply_add(from_position, s.w, multiply(s.w, s.v));
  twice.u = s.u + multiply_add(from_position, s.u, multiply(s.w, s.w));
  twice.y = s.y + s.u * h + multiply_add(from_position, s.y, multiply(s.w, s.u));
  return twice;
}

}  // namespace force_transition_detail

// Aq and Av padded; rows and columns that are zero stand for joints that are not there.
template <class T, int N, int Rows>
SecondOrderTransition<T, N> second_order_transition(const Eigen::Matrix<T, Rows, N>& by_position,
                                                    const Eigen::Matrix<T, Rows, N>& by_velocity, T interval) noexcept {
  using namespace force_transition_detail;  // NOLINT(google-build-using-namespace)
  T rate = rate_of(by_position, by_velocity) * interval, h = interval;
  int doublings = 0;
  if (!std::isfinite(rate)) rate = T(0);  // the caller finds the result not to be finite
  for (; rate > kLargestRate<T> && doublings < kMaxDoublings; ++doublings) rate /= T(2), h /= T(2);
  SecondOrderTransition<T, N> result = series(by_position, by_velocity, h, rate);
  for (; doublings > 0; --doublings, h *= T(2)) result = doubled(result, by_position, h);
  return result;
}

}  // namespace tauhat
