// Parameters that are estimated along with the state: K of the model's parameters become constant states.
//   x' = f(x, u; p(s)),   s' = w,   p_i = start_i * s_i
// The states are relative to their start values: inertias and friction levels then all lie near one. They may drift:
// w is white with spectral density drift_i^2, zero unless set.
#pragma once

#include <array>

#include "tauhat/core/model.hpp"
#include "tauhat/core/unknowns/augmented.hpp"

namespace tauhat {

template <int K>
struct Constants {};

template <Model M, int K>
struct Augmented<M, Constants<K>> {
  using Scalar = typename M::Scalar;
  using T = Scalar;
  template <class S>
  using Rebind = Augmented<typename M::template Rebind<S>, Constants<K>>;

  static constexpr int kStates = M::kStates + K;
  static constexpr int kInputs = M::kInputs;
  static constexpr int kConstantStates = K;  // of the last states: see filters/ekf.hpp
  static constexpr int kFirst = M::kStates;  // index of the first added state
  static constexpr auto kOutputs = M::kOutputs;

  M model;                           // holds the start values
  std::array<int, K> parameter{};    // positions in the model's list
  std::array<T, K> drift = zeros();  // per square root of a second, relative like the states

  template <class S>
  Rebind<S> cast() const {
    Rebind<S> other{model.template cast<S>(), parameter};
    for (std::size_t i = 0; i < K; ++i) other.drift[i] = static_cast<S>(drift[i]);
    return other;
  }

  M model_at(const StateOf<Augmented>& x) const {
    M at = model;
    for (int i = 0; i < K; ++i) {
      with_parameter(at, parameter[static_cast<std::size_t>(i)],
                     [&](const ParameterInfo&, T& value) { value = value * x[kFirst + i]; });
    }
    return at;
  }

  StateOf<Augmented> derivative(const StateOf<Augmented>& x, const InputOf<Augmented>& u) const {
    StateOf<Augmented> dx;
    dx.template head<M::kStates>() = model_at(x).derivative(x.template head<M::kStates>(), u);
    dx.template tail<K>().setZero();
    return dx;
  }

  // Where the model knows how its dynamics change with its parameters.
  LinearisedOf<Augmented> linearised(const StateOf<Augmented>& x, const InputOf<Augmented>& u) const
    requires requires(const M m, const StateOf<M> inner, const std::array<int, K> which) {
      m.sensitivity(inner, u, which);
    }
  {
    const auto inner = model_at(x).sensitivity(x.template head<M::kStates>(), u, parameter);
    LinearisedOf<Augmented> result;
    result.derivative << inner.at.derivative, Vector<T, K>::Zero();
    result.by_state.setZero();
    result.by_state.template topLeftCorner<M::kStates, M::kStates>() = inner.at.by_state;
    for (int i = 0; i < K; ++i) {
      with_parameter(model, parameter[static_cast<std::size_t>(i)], [&](const ParameterInfo&, const T& start) {
        result.by_state.template block<M::kStates, 1>(0, kFirst + i) = inner.by_parameter.col(i) * start;
      });
    }
    result.by_input.setZero();
    result.by_input.template topRows<M::kStates>() = inner.at.by_input;
    return result;
  }

  T output(int index, const StateOf<Augmented>& x, const InputOf<Augmented>& u) const {
    return model_at(x).output(index, x.template head<M::kStates>(), u);
  }

  int output_state(int index) const noexcept
    requires requires(const M m) { m.output_state(0); }
  {
    return model.output_state(index);
  }

  StateOf<Augmented> spectral_density() const {
    StateOf<Augmented> density = StateOf<Augmented>::Zero();
    density.template head<M::kStates>() = model.spectral_density();
    for (int i = 0; i < K; ++i)
      density[kFirst + i] = drift[static_cast<std::size_t>(i)] * drift[static_cast<std::size_t>(i)];
    return density;
  }

  T fastest_rate() const { return model.fastest_rate(); }
  T fastest_rate(const StateOf<Augmented>& x, const InputOf<Augmented>& u) const
    requires FasterUnderLoad<M>
  {
    return model.fastest_rate(x.template head<M::kStates>(), u);
  }

  template <class Self, class Visitor>
  static void visit_parameters(Self& self, Visitor&& visit) {
    M::visit_parameters(self.model, visit);
  }

 private:
  static constexpr std::array<T, K> zeros() {
    std::array<T, K> all;
    all.fill(T(0));
    return all;
  }
};

}  // namespace tauhat
