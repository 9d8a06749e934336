// From t to t + dt: mean, transition matrix and noise of one step.
//
// The mean follows the nonlinear model by RK4, with as many sub-steps as its fastest motion needs. The transition is
// the exact exponential of the Jacobian averaged over the sub-steps' midpoints: friction near standstill changes its
// slope a thousandfold within a step, and the slope at either end says nothing of what lies between.
#pragma once

#include <algorithm>
#include <cmath>

#include "tauhat/core/math/discretise.hpp"
#include "tauhat/core/model.hpp"

namespace tauhat {

// The mean at t + dt, and the transition and noise that led there.
template <class T, int N>
struct Propagated {
  Vector<T, N> mean;
  const Discrete<T, N>& step;
};

// A model that is discrete by itself, or has a better step than the general one: step(x, u, dt) returns a type of its
// own with the members of Propagated, evaluated together.
template <class M>
concept HasOwnStep =
    StateSpace<M> && requires(const M m, const StateOf<M> x, const InputOf<M> u, typename M::Scalar dt) {
      { m.step(x, u, dt).mean } -> std::convertible_to<StateOf<M>>;
      { m.step(x, u, dt).step.transition } -> std::convertible_to<PaddedMatrix<typename M::Scalar, M::kStates>>;
      { m.step(x, u, dt).step.noise } -> std::convertible_to<PaddedMatrix<typename M::Scalar, M::kStates>>;
    };

namespace propagate_detail {
// RK4 is stable to |rate * h| = 2.78; two leaves room for the slope to grow within the step.
inline constexpr double kRateTimesSubstep = 2.0;
// A bound on the work of one step: a friction law sharper than this resolves is smooth enough for the mean, because its
// torque is bounded.
inline constexpr int kMaxSubsteps = 32;
}  // namespace propagate_detail

template <Model M>
int substeps_for(const M& model, const StateOf<M>& x, const InputOf<M>& u, typename M::Scalar dt) noexcept {
  using T = typename M::Scalar;
  const T needed = std::ceil(fastest_rate_at(model, x, u) * dt / T(propagate_detail::kRateTimesSubstep));
  return needed > T(1) ? static_cast<int>(std::min(needed, T(propagate_detail::kMaxSubsteps))) : 1;
}

// One RK4 step of the mean; `jacobian` grows by the Jacobian at the midpoint.
template <Model M>
StateOf<M> runge_kutta_step(const M& model, const StateOf<M>& x, const InputOf<M>& u, typename M::Scalar h,
                            Matrix<typename M::Scalar, M::kStates>& jacobian) {
  using T = typename M::Scalar;
  const StateOf<M> k1 = model.derivative(x, u);
  const StateOf<M> k2 = model.derivative(x + h / T(2) * k1, u);
  const auto middle = linearise(model, StateOf<M>(x + h / T(2) * k2), u);
  const StateOf<M> k4 = model.derivative(x + h * middle.derivative, u);
  jacobian += middle.by_state;
  return x + h / T(6) * (k1 + T(2) * (k2 + middle.derivative) + k4);
}

// Remembers the last discretisation: a linear model is discretised once.
template <class T, int N>
class StepCache {
 public:
  const Discrete<T, N>& discretised(const Matrix<T, N>& a, const Vector<T, N>& q, T dt) noexcept {
    if (dt != dt_ || a != a_ || q != q_) {
      step_ = discretise<T, N>(a, q, dt);
      a_ = a, q_ = q, dt_ = dt;
    }
    return step_;
  }

 private:
  Matrix<T, N> a_ = Matrix<T, N>::Zero();
  Vector<T, N> q_ = Vector<T, N>::Zero();
  T dt_ = T(-1);
  Discrete<T, N> step_;
};

template <Model M>
Propagated<typename M::Scalar, M::kStates> propagate(const M& model, const StateOf<M>& x, const InputOf<M>& u,
                                                     typename M::Scalar dt,
                                                     StepCache<typename M::Scalar, M::kStates>& cache) noexcept {
  using T = typename M::Scalar;
  const int substeps = substeps_for(model, x, u, dt);
  const T h = dt / static_cast<T>(substeps);
  Matrix<T, M::kStates> jacobian = Matrix<T, M::kStates>::Zero();
  StateOf<M> mean = x;
  for (int i = 0; i < substeps; ++i) mean = runge_kutta_step(model, mean, u, h, jacobian);
  if (substeps > 1) jacobian /= static_cast<T>(substeps);
  return {mean, cache.discretised(jacobian, model.spectral_density(), dt)};
}

}  // namespace tauhat
