// A free input that rings: one of the model's inputs becomes the position of an oscillator about a level that wanders.
//   p" = -w0^2 p - 2 zeta w0 p' + w0^2 m + v,   m' = w,   v and w white with spectral densities rate^2 and intensity^2
// What a link that is left out of the model does to the one that is in it: its pull swings at its own frequency.
#pragma once

#include <numbers>

#include "tauhat/core/unknowns/augmented.hpp"

namespace tauhat {

template <int Input>
struct Resonance {};

template <Model M, int Input>
struct Augmented<M, Resonance<Input>> {
  static_assert(Input >= 0 && Input < M::kInputs, "the free input is one of the model's");
  using Scalar = typename M::Scalar;
  using T = Scalar;
  template <class S>
  using Rebind = Augmented<typename M::template Rebind<S>, Resonance<Input>>;

  static constexpr int kStates = M::kStates + 3;
  static constexpr int kInputs = M::kInputs - 1;
  static constexpr int kValue = M::kStates, kRate = kValue + 1, kLevel = kValue + 2;
  static constexpr auto kOutputs = M::kOutputs;

  M model;
  T frequency = T(10), relative_damping = constant<T>(0.1);  // Hz, 1
  T intensity = T(1), rate_intensity = T(0);

  template <class S>
  Rebind<S> cast() const {
    return {model.template cast<S>(), static_cast<S>(frequency), static_cast<S>(relative_damping),
            static_cast<S>(intensity), static_cast<S>(rate_intensity)};
  }

  StateOf<Augmented> derivative(const StateOf<Augmented>& x, const InputOf<Augmented>& u) const {
    const T w0 = constant<T>(2.0 * std::numbers::pi) * frequency;
    StateOf<Augmented> dx;
    dx.template head<M::kStates>() = model.derivative(inner_state(x), inner_input(x, u));
    dx[kValue] = x[kRate];
    dx[kRate] = w0 * w0 * (x[kLevel] - x[kValue]) - T(2) * relative_damping * w0 * x[kRate];
    dx[kLevel] = T(0);
    return dx;
  }

  T output(int index, const StateOf<Augmented>& x, const InputOf<Augmented>& u) const {
    return model.output(index, inner_state(x), inner_input(x, u));
  }
  int output_state(int index) const noexcept
    requires requires(const M m) { m.output_state(0); }
  {
    return model.output_state(index);
  }

  StateOf<Augmented> spectral_density() const {
    StateOf<Augmented> density;
    density << model.spectral_density(), T(0), rate_intensity * rate_intensity, intensity * intensity;
    return density;
  }

  Matrix<T, kStates> noise_density() const
    requires HasCorrelatedNoise<M>
  {
    Matrix<T, kStates> density = Matrix<T, kStates>::Zero();
    density.template topLeftCorner<M::kStates, M::kStates>() = model.noise_density();
    density(kRate, kRate) = rate_intensity * rate_intensity;
    density(kLevel, kLevel) = intensity * intensity;
    return density;
  }

  T fastest_rate() const {
    const T own = model.fastest_rate(), w0 = constant<T>(2.0 * std::numbers::pi) * frequency;
    return own > w0 ? own : w0;
  }

  template <class Self, class Visitor>
  static void visit_parameters(Self& self, Visitor&& visit) {
    M::visit_parameters(self.model, visit);
  }

 private:
  static StateOf<M> inner_state(const StateOf<Augmented>& x) { return x.template head<M::kStates>(); }
  static InputOf<M> inner_input(const StateOf<Augmented>& x, const InputOf<Augmented>& u) {
    return with_input<M>(Input, u, x[kValue]);
  }
};

}  // namespace tauhat
