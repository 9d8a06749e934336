// Extended Kalman filter with scalar corrections.
//
//   predict:  x = f(x, u),  P = Phi P Phi^T + Qd
//   correct:  S = h^T P h + R,  K = P h / S,  x += K e,  P = (I - K h^T) P (I - K h^T)^T + K R K^T
//
// Measurements are scalars, applied one after the other: no inverse, and each may be missing, late or gated
// by itself. Joseph's form is computed by rank-one updates of whole padded columns. An output that is one of
// the states has a unit gradient; a model that says so, int output_state(int output) (-1: it is not), spares
// the products with h. What such a sensor errs by may depend on where it is read, as that of a toothed wheel does:
// beside(place) says by which states, constant ones that have no part in it while they are surely zero.
#pragma once

#include <limits>
#include <span>

#include "tauhat/core/filters/propagate.hpp"
#include "tauhat/core/filters/trajectory.hpp"
#include "tauhat/core/gaussian.hpp"
#include "tauhat/core/model.hpp"

namespace tauhat {

// Whether the belief is x(k|k), corrected with all samples up to now, or x(k+1|k), predicted to the next
// instant.
enum class Stage { corrected, predicted };

template <class F>
concept Filter =
    requires(F f, const F c, typename F::Input u, typename F::Scalar dt, Measurement<typename F::Scalar> z) {
      { f.predict(u, dt) } noexcept -> std::same_as<StepStatus>;
      { f.correct(z) } noexcept -> std::same_as<Correction<typename F::Scalar>>;
      { c.belief() } noexcept;
      { c.stage() } noexcept -> std::same_as<Stage>;
    };

// What a gradient h asks of a covariance: its image P h, and the remainder (P - K (P h)^T) h. Either h is any
// vector,
template <class T, int N>
struct AlongGradient {
  const Vector<T, N>& h;
  PaddedVector<T, N> image;

  AlongGradient(const Vector<T, N>& gradient, const PaddedMatrix<T, N>& p) noexcept : h(gradient) {
    image = p.col(0) * h[0];
    for (int k = 1; k < N; ++k) image += p.col(k) * h[k];
  }
  T variance() const noexcept { return h.dot(image.template head<N>()); }
  PaddedVector<T, N> remainder(const PaddedMatrix<T, N>& p, const PaddedVector<T, N>& k) const noexcept {
    PaddedVector<T, N> sum = PaddedVector<T, N>::Zero();
    for (int j = 0; j < N; ++j) sum += (p.col(j) - k * image[j]) * h[j];
    return sum;
  }
};

// or a unit vector: P h is a column.
template <class T, int N>
struct AlongState {
  int state;
  PaddedVector<T, N> image;

  AlongState(int index, const PaddedMatrix<T, N>& p) noexcept : state(index), image(p.col(index)) {}
  T variance() const noexcept { return image[state]; }
  PaddedVector<T, N> remainder(const PaddedMatrix<T, N>&, const PaddedVector<T, N>& k) const noexcept {
    return image - k * image[state];
  }
};

// or a unit vector and what the sensor errs by at its place.
template <class T, int N, class Beside>
struct AlongPlace {
  AlongState<T, N> at;
  const Beside& beside;
  PaddedVector<T, N> image;

  AlongPlace(int index, const Beside& terms, const PaddedMatrix<T, N>& p) noexcept
      : at(index, p), beside(terms), image(at.image) {
    for (const auto& term : beside) image += p.col(term.state) * term.factor;
  }
  T variance() const noexcept {
    T sum = image[at.state];
    for (const auto& term : beside) sum += term.factor * image[term.state];
    return sum;
  }
  PaddedVector<T, N> remainder(const PaddedMatrix<T, N>& p, const PaddedVector<T, N>& k) const noexcept {
    PaddedVector<T, N> sum = p.col(at.state) - k * image[at.state];
    for (const auto& term : beside) sum += (p.col(term.state) - k * image[term.state]) * term.factor;
    return sum;
  }
};

// What is expected beside the state at the same index: the runout of a wheel, as far as it is known.
template <class M>
concept MeasuresByPlace = requires(typename M::Scalar place) { M::beside(place); };

template <class M>
class Ekf {
 public:
  using Model = M;
  using Scalar = typename M::Scalar;
  using T = Scalar;
  static constexpr int kStates = M::kStates;
  // States at the end that have no dynamics, because they are parameters, need no products.
  static constexpr int kMoving = []() -> int {
    if constexpr (requires { M::kConstantStates; }) return M::kStates - M::kConstantStates;
    return M::kStates;
  }();
  using State = StateOf<M>;
  using Input = InputOf<M>;
  using Belief = Gaussian<T, kStates>;

  Ekf(const M& model, const Belief& prior) : model_(model), belief_(prior) {}

  const M& model() const noexcept { return model_; }
  const Belief& belief() const noexcept { return belief_; }
  // For filters that are built of this one: modes that switch, beliefs that are mixed.
  M& model() noexcept { return model_; }
  Belief& belief() noexcept { return belief_; }
  Stage stage() const noexcept { return stage_; }
  const Input& input() const noexcept { return input_; }

  // What a smoother stores of the last correct(), which returned `done`; and its parts, direction and gain.
  CorrectionRecord<T, kStates> record_of(const Correction<T>& done) const noexcept {
    return {done.innovation, done.variance, gradient(), gain_};
  }
  State gradient() const noexcept { return measured_state_ < 0 ? gradient_ : State(State::Unit(measured_state_)); }
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

  // From x(k|k) to x(k+1|k), the input held over dt. Who will smooth says where the transition goes; where no step was
  // taken, it is the identity.
  StepStatus predict(const Input& u, T dt, PaddedMatrix<T, kStates>* transition = nullptr) noexcept {
    return predict_about(belief_.mean, u, dt, transition);
  }

  // The same, linearised about another point than the mean, which later samples have shown to be nearer to the truth
  // (iterated smoothing):  x = f(point, u) + Phi (x - point).
  StepStatus predict_about(const State& point, const Input& u, T dt,
                           PaddedMatrix<T, kStates>* transition = nullptr) noexcept {
    if (transition != nullptr) *transition = PaddedMatrix<T, kStates>::Identity();
    if (!(dt > T(0)) || !std::isfinite(dt)) return StepStatus::interval_not_positive;
    const bool usable = u.allFinite();
    const Input acting = usable ? u : input_;
    const auto next = step(point, acting, dt);
    State mean = next.mean;
    if (&point != &belief_.mean) mean += next.step.transition.template topRows<kStates>() * (belief_.mean - point);
    auto& p = belief_.padded_covariance;
    const PaddedMatrix<T, kStates> lower = lower_covariance<kMoving>(next.step.transition, p, next.step.noise);
    if (!std::isfinite(mean.sum() + lower.diagonal().sum())) return StepStatus::diverged;
    input_ = acting;
    belief_.mean = mean;
    mirror_lower(lower, p);
    if (transition != nullptr) *transition = next.step.transition;
    stage_ = Stage::predicted;
    return usable ? StepStatus::ok : StepStatus::input_held;
  }

  // A state turns its sign over, as the friction of a body does that turns back: x_i = -x_i, with some variance added.
  // The transition that led here, where it is kept, does the same.
  void flip(int state, T added_variance, PaddedMatrix<T, kStates>* transition = nullptr) noexcept {
    auto& p = belief_.padded_covariance;
    belief_.mean[state] = -belief_.mean[state];
    p.row(state) = -p.row(state);
    p.col(state) = -p.col(state);
    p(state, state) += added_variance;
    if (transition != nullptr) transition->row(state) = -transition->row(state);
  }

  // One scalar; afterwards the belief is x(k|k) as far as this measurement goes.
  Correction<T> correct(const Measurement<T>& z) noexcept {
    if (!std::isfinite(z.value)) return {};
    measured_state_ = state_of(z.output);
    const auto& p = belief_.padded_covariance;
    if constexpr (MeasuresByPlace<M>)
      if (M::measures_by_place(z.output)) return correct_at_its_place(z);
    if (measured_state_ >= 0) return correct_along(AlongState<T, kStates>(measured_state_, p), z);
    gradient_ = gradient_of(z.output);
    return correct_along(AlongGradient<T, kStates>(gradient_, p), z);
  }

 private:
  // A model's own step may refer to its constant noise instead of copying it.
  auto step(const State& point, const Input& u, T dt) noexcept {
    if constexpr (HasOwnStep<M>) {
      return model_.step(point, u, dt);
    } else {
      return propagate(model_, point, u, dt, cache_);
    }
  }

  int state_of(int output) const noexcept {
    if constexpr (requires { model_.output_state(output); }) return model_.output_state(output);
    return -1;
  }

  State gradient_of(int output) const noexcept {
    if constexpr (requires { model_.output_gradient(output, belief_.mean, input_); }) {
      return model_.output_gradient(output, belief_.mean, input_).by_state;
    } else {
      return differentiate_output(model_, output, belief_.mean, input_).by_state;
    }
  }

  Correction<T> correct_at_its_place(Measurement<T> z) noexcept {
    const auto& p = belief_.padded_covariance;
    const auto beside = M::beside(z.value);
    T known = T(0), variance = T(0);
    for (const auto& term : beside) {
      known += term.factor * belief_.mean[term.state];
      variance += p(term.state, term.state);
    }
    if (known == T(0) && variance == T(0)) return correct_along(AlongState<T, kStates>(measured_state_, p), z);
    gradient_ = State::Unit(measured_state_);
    for (const auto& term : beside) gradient_[term.state] = term.factor;
    const AlongPlace<T, kStates, decltype(beside)> along(measured_state_, beside, p);
    measured_state_ = -1;
    z.value -= known;
    return correct_along(along, z);
  }

  template <class Direction>
  Correction<T> correct_along(const Direction& h, const Measurement<T>& z) noexcept {
    Correction<T> result{.status = StepStatus::ok,
                         .innovation = z.value - model_.output(z.output, belief_.mean, input_),
                         .variance = h.variance() + z.variance};
    if (!(result.variance > T(0)) || !(z.variance >= T(0)) || !std::isfinite(result.innovation + result.variance)) {
      result.status = StepStatus::innovation_not_positive;
    } else if (result.nis() > gate_) {
      result.status = StepStatus::gated;
    } else {
      result.status = contract(h, result, z.variance);
    }
    return result;
  }

  // Joseph's form by columns:  W = P - K (P h)^T,  P = W - (W h - R K) K^T.
  // The second term is zero but for rounding, which is what Joseph's form is for.
  template <class Direction>
  StepStatus contract(const Direction& h, const Correction<T>& correction, T variance) noexcept {
    const PaddedVector<T, kStates> k = h.image / correction.variance;
    const State gain = k.template head<kStates>(), mean = belief_.mean + gain * correction.innovation;
    if (!std::isfinite(mean.sum())) return StepStatus::diverged;
    auto& p = belief_.padded_covariance;
    const PaddedVector<T, kStates> remainder = h.remainder(p, k) - variance * k;
    subtract_symmetric(k, h.image, remainder, p);
    belief_.mean = mean;
    gain_ = gain;
    stage_ = Stage::corrected;
    return StepStatus::ok;
  }

  M model_;
  Belief belief_;
  Stage stage_ = Stage::corrected;
  Input input_ = Input::Zero();
  T gate_ = std::numeric_limits<T>::infinity();
  State gradient_ = State::Zero(), gain_ = State::Zero();
  int measured_state_ = -1;  // of the last correction; negative: see gradient_
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
