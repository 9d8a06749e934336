// A continuous model between two samples, exactly: inputs held, noise torques white.
//   x+ = Phi x + Gamma u + w      [Phi Gamma; 0 I] = exp([A B; 0 0] h)
//   cov w = integral_0^h exp(A s) L diag(q) L^T exp(A s)^T ds                                     (Van Loan 1978)
// A may be singular, as that of everything that turns freely: nothing is inverted.
#pragma once

#include "tauhat/core/math/discretise.hpp"

namespace tauhat {

template <class T, int N, int Inputs>
struct Sampled {
  Matrix<T, N> transition;
  Matrix<T, N, Inputs> by_input;
};

template <class T, int N, int Inputs>
Sampled<T, N, Inputs> held(const Matrix<T, N>& a, const Matrix<T, N, Inputs>& b, T period) noexcept {
  constexpr int kAll = N + Inputs;
  Matrix<T, kAll> all = Matrix<T, kAll>::Zero();
  all.template topLeftCorner<N, N>() = a;
  all.template topRightCorner<N, Inputs>() = b;
  const Matrix<T, kAll> step = transition_over<T, kAll>(all, period);
  return {step.template topLeftCorner<N, N>(), step.template topRightCorner<N, Inputs>()};
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
