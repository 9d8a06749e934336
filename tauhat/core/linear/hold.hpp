// A continuous model between two samples, exactly: inputs held, noise torques white.
//   x+ = Phi x + Gamma u + w      [Phi Gamma; 0 I] = exp([A B; 0 0] h)
//   cov w = integral_0^h exp(A s) L diag(q) L^T exp(A s)^T ds                                     (Van Loan 1978)
// A may be singular, as that of everything that turns freely: nothing is inverted.
#pragma once

#include "tauhat/core/linear/discretise_any.hpp"

namespace tauhat {

template <class T, int N, int Inputs>
struct Sampled {
  Matrix<T, N> transition;
  Matrix<T, N, Inputs> by_input;
};

template <class T, int N, int Inputs>
Sampled<T, N, Inputs> held(const Matrix<T, N>& a, const Matrix<T, N, Inputs>& b, T period) noexcept {
  constexpr int kAll = kTogether<N, Inputs>;
  const Eigen::Index states = a.rows(), inputs = b.cols();
  Matrix<T, kAll> all = Matrix<T, kAll>::Zero(states + inputs, states + inputs), step;
  all.template topLeftCorner<N, N>(states, states) = a;
  all.template topRightCorner<N, Inputs>(states, inputs) = b;
  if constexpr (kAll == Eigen::Dynamic) {
    step = discretise_any<T>(all, nullptr, period).transition;
  } else {
    step = transition_over<T, kAll>(all, period);
  }
  return {step.template topLeftCorner<N, N>(states, states), step.template topRightCorner<N, Inputs>(states, inputs)};
}

// What noise torques of spectral densities q add in one step. A torque at one body of several that share a mass matrix
// accelerates all of them: each column of `directions` is what one torque does to x'.
template <class T, int N, int Torques>
Matrix<T, N> sampled_noise(const Matrix<T, N>& a, const Matrix<T, N, Torques>& directions,
                           const Vector<T, Torques>& densities, T period) noexcept {
  const Matrix<T, N> density = directions * densities.asDiagonal() * directions.transpose();
  return discretise_correlated<T, N>(a, density, period).noise.template topRows<N>();
}

}  // namespace tauhat
