// The smallest linear models: x' = A x + B u + w, y = C x.
#pragma once

#include <Eigen/Core>

#include <array>

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

// Phi, the response to a held input, and Qd by the exponential of Van Loan's (1978) block matrix, in long
// double:
//   exp [[-A, Q], [0, A^T]] h = [[., Phi^-1 Qd], [0, Phi^T]],   exp [[A, B], [0, 0]] h = [[Phi, Gamma], [0,
//   1]]
struct VanLoan {
  using Real = long double;
  using Dense = Eigen::Matrix<Real, Eigen::Dynamic, Eigen::Dynamic>;
  Dense transition, noise, response;

  VanLoan(const Dense& a, const Dense& b, const Dense& density, Real interval);
};

template <class Model, class T>
VanLoan van_loan(const Model& model, T interval) {
  using Real = VanLoan::Real;
  return {model.a.template cast<Real>(), model.b.template cast<Real>(), model.density.template cast<Real>(),
          static_cast<Real>(interval)};
}

// x_1' = x_2, ..., x_n' = u + w: nilpotent, so that both the Taylor series and RK4 are exact up to order
// four.
template <class T, int N, int Outputs = 1>
LinearModel<T, N, Outputs> integrator_chain(T density) {
  LinearModel<T, N, Outputs> chain;
  for (int i = 0; i + 1 < N; ++i) chain.a(i, i + 1) = T(1);
  chain.b[N - 1] = T(1);
  chain.density[N - 1] = density;
  return chain;
}

}  // namespace tauhat
