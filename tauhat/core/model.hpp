// What a drive's model offers, and how it is linearised.
//
// A model is a value with a scalar type. It names its states and inputs by enums that also count them, lists its
// outputs once (sensors, results, plots and help share that list), and writes its dynamics once:
//   x' = derivative(x, u) + w,   w white with spectral density diag(spectral_density())
//   y_i = output(i, x, u)
// Inputs at the end of the list may be free: nobody measures them, an unknown (core/unknowns) turns them into states.
#pragma once

#include <concepts>

#include "tauhat/core/math/autodiff.hpp"
#include "tauhat/core/math/matrix.hpp"
#include "tauhat/core/parameter.hpp"
#include "tauhat/core/signal.hpp"

namespace tauhat {

template <class M>
concept StateSpace = requires {
  typename M::Scalar;
  { M::kStates + 0 } -> std::convertible_to<int>;
  { M::kInputs + 0 } -> std::convertible_to<int>;
};

// Unconstrained: models use them in their own, still incomplete, class.
template <class M>
using StateOf = Vector<typename M::Scalar, M::kStates>;

template <class M>
using InputOf = Vector<typename M::Scalar, M::kInputs>;

template <class M>
concept Model = StateSpace<M> && requires(const M m, const StateOf<M> x, const InputOf<M> u) {
  { m.derivative(x, u) } -> std::convertible_to<StateOf<M>>;
  { m.output(0, x, u) } -> std::convertible_to<typename M::Scalar>;
  { m.spectral_density() } -> std::convertible_to<StateOf<M>>;
  { M::kOutputs.size() };
  typename M::template Rebind<double>;
};

// The dynamics at a point: derivative and its Jacobians, evaluated together because they share the friction law.
template <class T, int N, int Inputs>
struct Linearised {
  Vector<T, N> derivative;
  Matrix<T, N> by_state;
  Matrix<T, N, Inputs> by_input;
};

template <class M>
using LinearisedOf = Linearised<typename M::Scalar, M::kStates, M::kInputs>;

// One of few states that are measured together, and its share.
template <class T>
struct StateTerm {
  int state;
  T factor;
};

// d output_i / dx and d output_i / du.
template <class T, int N, int Inputs>
struct OutputGradient {
  Vector<T, N> by_state;
  Vector<T, Inputs> by_input;
};

template <class M>
using OutputGradientOf = OutputGradient<typename M::Scalar, M::kStates, M::kInputs>;

template <class M>
concept HasAnalyticJacobian = Model<M> && requires(const M m, const StateOf<M> x, const InputOf<M> u) {
  { m.linearised(x, u) } -> std::convertible_to<LinearisedOf<M>>;
};

// A model whose fastest motion, the bound that sub-steps are chosen from, depends on where it is: under load its
// friction is steeper. Any other gives one bound, fastest_rate().
template <class M>
concept FasterUnderLoad = StateSpace<M> && requires(const M m, const StateOf<M> x, const InputOf<M> u) {
  { m.fastest_rate(x, u) } -> std::convertible_to<typename M::Scalar>;
};

template <class M>
typename M::Scalar fastest_rate_at(const M& model, const StateOf<M>& x, const InputOf<M>& u) {
  if constexpr (FasterUnderLoad<M>) {
    return model.fastest_rate(x, u);
  } else {
    return model.fastest_rate();
  }
}

template <class M>
concept HasOutputGradient = Model<M> && requires(const M m, const StateOf<M> x, const InputOf<M> u) {
  { m.output_gradient(0, x, u) } -> std::convertible_to<OutputGradientOf<M>>;
};

// Noise whose parts are correlated: its spectral density as a matrix. Of other models it is diagonal.
template <class M>
concept HasCorrelatedNoise = Model<M> && requires(const M m) {
  { m.noise_density() } -> std::convertible_to<Matrix<typename M::Scalar, M::kStates>>;
};

template <Model M>
Matrix<typename M::Scalar, M::kStates> noise_density(const M& model) {
  if constexpr (HasCorrelatedNoise<M>) {
    return model.noise_density();
  } else {
    return StateOf<M>(model.spectral_density()).asDiagonal();
  }
}

// States and inputs together. (Two enums are not added to each other without a cast.)
template <class M>
inline constexpr int kDirections = static_cast<int>(M::kStates) + static_cast<int>(M::kInputs);

template <Model M>
LinearisedOf<M> linearise_automatically(const M& model, const StateOf<M>& x, const InputOf<M>& u) {
  using T = typename M::Scalar;
  using D = Dual<T, kDirections<M>>;
  const auto dual_model = model.template cast<D>();
  const Vector<D, M::kStates> dx = dual_model.derivative(seeded<D>(x), seeded<D>(u, M::kStates));
  LinearisedOf<M> result;
  for (int i = 0; i < M::kStates; ++i) {
    result.derivative[i] = dx[i].value();
    result.by_state.row(i) = dx[i].derivatives().template head<M::kStates>();
    result.by_input.row(i) = dx[i].derivatives().template tail<M::kInputs>();
  }
  return result;
}

// Analytic where the model gives it, automatic otherwise.
template <Model M>
LinearisedOf<M> linearise(const M& model, const StateOf<M>& x, const InputOf<M>& u) {
  if constexpr (HasAnalyticJacobian<M>) {
    return model.linearised(x, u);
  } else {
    return linearise_automatically(model, x, u);
  }
}

template <Model M>
OutputGradientOf<M> differentiate_output_automatically(const M& model, int output, const StateOf<M>& x,
                                                       const InputOf<M>& u) {
  using D = Dual<typename M::Scalar, kDirections<M>>;
  const D y = model.template cast<D>().output(output, seeded<D>(x), seeded<D>(u, M::kStates));
  return {y.derivatives().template head<M::kStates>(), y.derivatives().template tail<M::kInputs>()};
}

template <Model M>
OutputGradientOf<M> differentiate_output(const M& model, int output, const StateOf<M>& x, const InputOf<M>& u) {
  if constexpr (HasOutputGradient<M>) {
    return model.output_gradient(output, x, u);
  } else {
    return differentiate_output_automatically(model, output, x, u);
  }
}

}  // namespace tauhat
