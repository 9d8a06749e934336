// Extended Kalman filter with scalar corrections.
//
//   predict:  x = f(x, u),  P = Phi P Phi^T + Qd
//   correct:  S = h^T P h + R,  K = P h / S,  x += K e,  P = (I - K h^T) P (I - K h^T)^T + K R K^T
//
// Measurements are scalars, applied one after the other: no inverse, and each may be missing, late or gated by itself.
// Joseph's form is computed by rank-one updates of whole padded columns.
#pragma once

#include <limits>
#include <span>

#include "tauhat/core/filters/correction.hpp"
#include "tauhat/core/filters/propagate.hpp"
#include "tauhat/core/gaussian.hpp"
#include "tauhat/core/model.hpp"

namespace tauhat {

// Whether the belief is x(k|k), corrected with all samples up to now, or x(k+1|k), predicted to the next instant.
enum class Stage { corrected, predicted };

template <class F>
concept Filter = requires(F f, const F c, typename F::Input u, typename F::Scalar dt, Measurement<typename F::Scalar> z) {
  { f.predict(u, dt) } noexcept -> std::same_as<StepStatus>;
  { f.correct(z) } noexcept -> std::same_as<Correction<typename F::Scalar>>;
  { c.belief() } noexcept;
  { c.stage() } noexcept -> std::same_as<Stage>;
};

template <class M>
class Ekf {
 public:
  using Model = M;
  using Scalar = typename M::Scalar;
  using T = Scalar;
  static constexpr int kStates = M::kStates;
  using State = StateOf<M>;
  using Input = InputOf<M>;
  using Belief = Gaussian<T, kStates>;

  Ekf(const M& model, const Belief& prior) : model_(model), belief_(prior) {}

  const M& model() const noexcept { return model_; }
  const Belief& belief() const noexcept { return belief_; }
  Stage stage() const noexcept { return stage_; }
  const Input& input() const noexcept { return input_; }

  // The step that the last predict() took, and the direction and gain of the last correct(): what a smoother stores.
  const PaddedMatrix<T, kStates>& transition() const noexcept { return transition_; }
  const State& gradient() const noexcept { return gradient_; }
  const State& gain() const noexcept { return gain_; }

  // Corrections with a normalised innovation squared above this are refused. Infinite: none are.
  void set_gate(T nis) noexcept { gate_ = nis; }

  void reset(const Belief& prior) noexcept {
    belief_ = prior;
    stage_ = Stage::corrected;
    input_.setZero();
  }

  // A start without transient: a wide prior, corrected at once with the first samples, ungated.
  void start(const Belief& wide, std::span<const Measurement<T>> first) noexcept {
    reset(wide);
    const T gate = gate_;
    gate_ = std::numeric_limits<T>::infinity();
    for (const auto& z : first) correct(z);
    gate_ = gate;
  }

  // From x(k|k) to x(k+1|k), the input held over dt.
  StepStatus predict(const Input& u, T dt) noexcept {
    if (!(dt > T(0)) || !std::isfinite(dt)) return StepStatus::interval_not_positive;
    const bool usable = u.allFinite();
    if (usable) input_ = u;
    const auto next = step(dt);
    if (!next.mean.allFinite()) return StepStatus::diverged;
    belief_.mean = next.mean;
    spread(next.step);
#ifndef NOCOPY
    transition_ = next.step.transition;
#endif
    stage_ = Stage::predicted;
    return usable ? StepStatus::ok : StepStatus::input_held;
  }

  // One scalar; afterwards the belief is x(k|k) as far as this measurement goes.
  Correction<T> correct(const Measurement<T>& z) noexcept {
    Correction<T> result;
    if (!std::isfinite(z.value)) return result;
    PaddedVector<T, kStates> ph;  // P h
    const int selected = selected_state(z.output);
    if (selected >= 0) {
      gradient_ = State::Unit(selected);
      ph = belief_.padded_covariance.col(selected);
      result.variance = belief_.padded_covariance(selected, selected) + z.variance;
    } else {
      gradient_ = gradient_of(z.output);
      project(gradient_, ph);
      result.variance = gradient_.dot(ph.template head<kStates>()) + z.variance;
    }
    result.innovation = z.value - model_.output(z.output, belief_.mean, input_);
    if (!(result.variance > T(0)) || !(z.variance >= T(0)) || !std::isfinite(result.innovation)) {
      result.status = StepStatus::innovation_not_positive;
      return result;
    }
    if (result.nis() > gate_) {
      result.status = StepStatus::gated;
      return result;
    }
    contract(ph, result, z.variance, selected);
    result.status = StepStatus::ok;
    stage_ = Stage::corrected;
    return result;
  }

 private:
  auto step(T dt) noexcept {
    if constexpr (HasOwnStep<M>) {
      return model_.step(belief_.mean, input_, dt);
    } else {
      return propagate(model_, belief_.mean, input_, dt, cache_);
    }
  }

  // P = (P Phi^T)^T Phi^T + Qd: Phi is read by single elements only, as a model has often just written it.
  template <class Step>
  void spread(const Step& step) noexcept {
    PaddedMatrix<T, kStates> product;
    auto& p = belief_.padded_covariance;
    multiply_columns_transposed<kStates>(p, step.transition, product);
#ifdef V2
    p = step.noise;
    add_symmetric_product2<kStates>(step.transition, product, p);
#else
    const PaddedMatrix<T, kStates> left = transposed<kStates>(product);
    p = step.noise;
    add_symmetric_product<kStates>(left, step.transition, p);
#endif
    mirror_off<kStates>(p);

  }

  void project(const State& h, PaddedVector<T, kStates>& ph) const noexcept {
    ph = belief_.padded_covariance.col(0) * h[0];
    for (int k = 1; k < kStates; ++k) ph += belief_.padded_covariance.col(k) * h[k];
  }

  int selected_state(int output) const noexcept {
    if constexpr (requires { model_.output_state(output); }) return model_.output_state(output);
    else return -1;
  }
  State gradient_of(int output) const noexcept {
    if constexpr (requires { model_.output_gradient(output, belief_.mean, input_).by_state; }) {
      return model_.output_gradient(output, belief_.mean, input_).by_state;
    } else {
      return differentiate_output(model_, output, belief_.mean, input_).by_state;
    }
  }

  // Joseph's form by columns: W = P - K (P h)^T, then P = W - (W h - R K) K^T. The second term is zero but for rounding,
  // which is what Joseph's form is for.
  void contract(const PaddedVector<T, kStates>& ph, const Correction<T>& correction, T variance, int selected) noexcept {
    const PaddedVector<T, kStates> k = ph / correction.variance;
    auto& p = belief_.padded_covariance;
    PaddedVector<T, kStates> remainder = -variance * k;
    if (selected >= 0) {
      remainder += ph - k * ph[selected];
    } else {
      remainder += ph - k * gradient_.dot(ph.template head<kStates>());
    }
    subtract_lower<kStates>(k, ph, remainder, p, selected);
    mirror_lower<kStates>(p);
    gain_ = k.template head<kStates>();
    belief_.mean += gain_ * correction.innovation;
  }

  M model_;
  Belief belief_;
  Stage stage_ = Stage::corrected;
  Input input_ = Input::Zero();
  T gate_ = std::numeric_limits<T>::infinity();
  State gradient_ = State::Zero(), gain_ = State::Zero();
  PaddedMatrix<T, kStates> transition_ = PaddedMatrix<T, kStates>::Identity();
  StepCache<T, kStates> cache_;
};

// An output of the belief and its variance, through the output's gradient.
template <class T>
struct OutputEstimate {
  T value, variance;
};

template <class M>
OutputEstimate<typename M::Scalar> estimate_output(const M& model, int output,
                                                   const Gaussian<typename M::Scalar, M::kStates>& belief,
                                                   const InputOf<M>& u) noexcept {
  const StateOf<M> h = differentiate_output(model, output, belief.mean, u).by_state;
  return {model.output(output, belief.mean, u), h.dot(belief.covariance() * h)};
}

}  // namespace tauhat
