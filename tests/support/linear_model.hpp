// The smallest linear models: x' = A x + B u + w, y = C x.
#pragma once

#include <array>
#include <unsupported/Eigen/MatrixFunctions>

#include "tauhat/core/filters/propagate.hpp"
#include "tauhat/core/model.hpp"

namespace tauhat {

template <class T, int N, int Outputs = 2>
struct LinearModel {
  using Scalar = T;
  template <class S>
  using Rebind = LinearModel<S, N, Outputs>;
  static constexpr int kStates = N, kInputs = 1;
  static constexpr std::array<Signal, Outputs> kOutputs{};

  Matrix<T, N> a = Matrix<T, N>::Zero();
  Vector<T, N> b = Vector<T, N>::Zero();
  Matrix<T, Outputs, N> c = Matrix<T, Outputs, N>::Identity();
  Vector<T, N> density = Vector<T, N>::Zero();

  template <class S>
  Rebind<S> cast() const {
    return {a.template cast<S>(), b.template cast<S>(), c.template cast<S>(), density.template cast<S>()};
  }
  Vector<T, N> derivative(const Vector<T, N>& x, const Vector<T, 1>& u) const { return a * x + b * u[0]; }
  T output(int index, const Vector<T, N>& x, const Vector<T, 1>&) const { return c.row(index).dot(x); }
  const Vector<T, N>& spectral_density() const { return density; }
  T fastest_rate() const { return a.cwiseAbs().rowwise().sum().maxCoeff(); }
};

// Phi, the response to a held input, and Qd by the exponential of Van Loan's (1978) block matrix, in long double:
//   exp [[-A, Q], [0, A^T]] h = [[., Phi^-1 Qd], [0, Phi^T]],   exp [[A, B], [0, 0]] h = [[Phi, Gamma], [0, 1]]
template <int N>
struct VanLoan {
  using Real = long double;
  Matrix<Real, N> transition, noise;
  Vector<Real, N> response = Vector<Real, N>::Zero();

  template <class T>
  VanLoan(const Matrix<T, N>& a, const Vector<T, N>& b, const Vector<T, N>& density, T interval) {
    const Matrix<Real, N> wide = a.template cast<Real>();
    Matrix<Real, 2 * N> block = Matrix<Real, 2 * N>::Zero();
    block.template topLeftCorner<N, N>() = -wide;
    block.template topRightCorner<N, N>() = density.template cast<Real>().asDiagonal();
    block.template bottomRightCorner<N, N>() = wide.transpose();
    const Matrix<Real, 2 * N> power = (block * static_cast<Real>(interval)).exp();
    transition = power.template bottomRightCorner<N, N>().transpose();
    noise = transition * power.template topRightCorner<N, N>();

    Matrix<Real, N + 1> driven = Matrix<Real, N + 1>::Zero();
    driven.template topLeftCorner<N, N>() = wide;
    driven.template topRightCorner<N, 1>() = b.template cast<Real>();
    response = (driven * static_cast<Real>(interval)).exp().template topRightCorner<N, 1>();
  }
};

// The same model with its exact step, for one interval: the filter's algebra alone, without any integrator.
template <class T, int N, int Outputs = 2>
struct ExactLinearModel : LinearModel<T, N, Outputs> {
  template <class S>
  using Rebind = LinearModel<S, N, Outputs>;
  Discrete<T, N> discrete;
  Vector<T, N> response = Vector<T, N>::Zero();

  ExactLinearModel(const LinearModel<T, N, Outputs>& model, T interval) : LinearModel<T, N, Outputs>(model) {
    const VanLoan<N> exact(model.a, model.b, model.density, interval);
    discrete.transition.template topRows<N>() = exact.transition.template cast<T>();
    discrete.noise.template topRows<N>() = exact.noise.template cast<T>();
    response = exact.response.template cast<T>();
  }
  Propagated<T, N> step(const Vector<T, N>& x, const Vector<T, 1>& u, T) const noexcept {
    return {discrete.transition.template topRows<N>() * x + response * u[0], discrete};
  }
};

// x_1' = x_2, ..., x_n' = u + w: nilpotent, so that both the Taylor series and RK4 are exact up to order four.
template <class T, int N, int Outputs = 1>
LinearModel<T, N, Outputs> integrator_chain(T density) {
  LinearModel<T, N, Outputs> chain;
  for (int i = 0; i + 1 < N; ++i) chain.a(i, i + 1) = T(1);
  chain.b[N - 1] = T(1);
  chain.density[N - 1] = density;
  return chain;
}

}  // namespace tauhat
