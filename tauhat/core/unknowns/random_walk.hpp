// A free input that wanders: one of the model's inputs becomes its last state; those after it move up.
//   x' = f(x, [u, p]),   p' = w,   w white with spectral density intensity^2
// (Hovland et al. 2002, eq. 2: no shape is assumed for what acts.) A leak pulls it back to zero: p' = -leak p + w.
#pragma once

#include <array>

#include "tauhat/core/model.hpp"
#include "tauhat/core/unknowns/augmented.hpp"

namespace tauhat {

template <int Input>
struct RandomWalk {};

template <Model M, int Input>
struct Augmented<M, RandomWalk<Input>> {
  static_assert(Input >= 0 && Input < M::kInputs, "the free input is one of the model's");
  using Scalar = typename M::Scalar;
  using T = Scalar;
  template <class S>
  using Rebind = Augmented<typename M::template Rebind<S>, RandomWalk<Input>>;

  static constexpr int kStates = M::kStates + 1;
  static constexpr int kInputs = M::kInputs - 1;
  static constexpr int kWalk = M::kStates;  // index of the added state
  static constexpr auto kOutputs = M::kOutputs;

  M model;
  T intensity = T(1), leak = T(0);

  template <class S>
  Rebind<S> cast() const {
    return {model.template cast<S>(), static_cast<S>(intensity), static_cast<S>(leak)};
  }

  StateOf<M> inner_state(const StateOf<Augmented>& x) const { return x.template head<M::kStates>(); }
  InputOf<M> inner_input(const StateOf<Augmented>& x, const InputOf<Augmented>& u) const {
    return with_input<M>(Input, u, x[kWalk]);
  }

  StateOf<Augmented> derivative(const StateOf<Augmented>& x, const InputOf<Augmented>& u) const {
    StateOf<Augmented> dx;
    dx.template head<M::kStates>() = model.derivative(inner_state(x), inner_input(x, u));
    dx[kWalk] = -leak * x[kWalk];
    return dx;
  }

  Linearised<T, kStates, kInputs> linearised(const StateOf<Augmented>& x, const InputOf<Augmented>& u) const
    requires HasAnalyticJacobian<M>
  {
    const auto inner = model.linearised(inner_state(x), inner_input(x, u));
    Linearised<T, kStates, kInputs> at;
    at.derivative << inner.derivative, -leak * x[kWalk];
    at.by_state.setZero();
    at.by_state.template topLeftCorner<M::kStates, M::kStates>() = inner.by_state;
    at.by_state.template topRightCorner<M::kStates, 1>() = inner.by_input.col(Input);
    at.by_state(kWalk, kWalk) = -leak;
    at.by_input.setZero();
    at.by_input.template topRows<M::kStates>() << inner.by_input.template leftCols<Input>(),
        inner.by_input.template rightCols<kInputs - Input>();
    return at;
  }

  T output(int index, const StateOf<Augmented>& x, const InputOf<Augmented>& u) const {
    return model.output(index, inner_state(x), inner_input(x, u));
  }

  OutputGradient<T, kStates, kInputs> output_gradient(int index, const StateOf<Augmented>& x,
                                                      const InputOf<Augmented>& u) const
    requires HasOutputGradient<M>
  {
    const auto inner = model.output_gradient(index, inner_state(x), inner_input(x, u));
    OutputGradient<T, kStates, kInputs> gradient;
    gradient.by_state << inner.by_state, inner.by_input[Input];
    gradient.by_input << inner.by_input.template head<Input>(), inner.by_input.template tail<kInputs - Input>();
    return gradient;
  }

  int output_state(int index) const noexcept
    requires requires(const M m) { m.output_state(0); }
  {
    return model.output_state(index);
  }

  StateOf<Augmented> spectral_density() const {
    StateOf<Augmented> density;
    density << model.spectral_density(), intensity * intensity;
    return density;
  }

  Matrix<T, kStates> noise_density() const
    requires HasCorrelatedNoise<M>
  {
    Matrix<T, kStates> density = Matrix<T, kStates>::Zero();
    density.template topLeftCorner<M::kStates, M::kStates>() = model.noise_density();
    density(kWalk, kWalk) = intensity * intensity;
    return density;
  }

  T fastest_rate() const { return model.fastest_rate(); }
  T fastest_rate(const StateOf<Augmented>& x, const InputOf<Augmented>& u) const
    requires FasterUnderLoad<M>
  {
    return model.fastest_rate(inner_state(x), inner_input(x, u));
  }

  template <class Self, class Visitor>
  static void visit_parameters(Self& self, Visitor&& visit) {
    M::visit_parameters(self.model, visit);
  }
};

}  // namespace tauhat
