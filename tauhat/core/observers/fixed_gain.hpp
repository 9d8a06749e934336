// A linear observer with a fixed gain (Luenberger 1971; a Kalman filter that has settled). At t_k, with y sampled and u
// held from then on:
//   e = y - C x,   x+ = A x + B u + L e
//   the estimate:   predictor form x,   filter form x + K e, of which L = A K
// x is x(k|k-1). A sample that is missing (NaN) has no innovation; an input that is not finite is taken as it last was.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>

#include "tauhat/core/observers/observer.hpp"

namespace tauhat {

enum class ObserverForm { predictor, filter };

template <class T, int N, int Inputs, int Outputs>
class FixedGainObserver {
 public:
  static constexpr int kStates = N, kInputs = Inputs, kOutputs = Outputs;
  using State = Vector<T, N>;
  using Input = Vector<T, Inputs>;
  using Measurements = Vector<T, Outputs>;
  using Gain = Matrix<T, N, Outputs>;

  FixedGainObserver(const Matrix<T, N>& a, const Matrix<T, N, Inputs>& b, const Matrix<T, Outputs, N>& c,
                    ObserverForm form, const Gain& gain) noexcept
      : form_(form) {
    model_.template middleRows<Outputs>(N) = c;
    reschedule(a, b, gain);
  }

  // Another pose, or a longer interval: the model changes at once, also between correct and predict; the gain of the
  // form stays.
  void reschedule(const Matrix<T, N>& a, const Matrix<T, N, Inputs>& b) noexcept { reschedule(a, b, Gain(gain_)); }
  void reschedule(const Matrix<T, N>& a, const Matrix<T, N, Inputs>& b, const Gain& gain) noexcept {
    gain_ = gain;
    model_.template topRows<N>() = a;
    by_input_.template topRows<N>() = b;
    by_innovation_.template topRows<N>() = form_ == ObserverForm::filter ? Gain(a * gain) : gain;
    advance();
  }

  void start(const State& x) noexcept { x_.template head<N>() = estimate_ = x; }

  // The estimate at t_k.
  const State& step(const Input& u, const Measurements& y) noexcept {
    correct(y);
    predict(u);
    return estimate_;
  }

  // The same in two parts, for inputs that depend on the estimate (friction that is fed forward). First correct.
  const State& correct(const Measurements& y) noexcept {
    advance();
    for (int i = 0; i < Outputs; ++i) {
      const T e = y[i] - advanced_[N + i];
      innovation_[i] = std::isfinite(e) ? e : T(0);
    }
    estimate_ = x_.template head<N>();
    if (form_ == ObserverForm::filter) {
      for (int i = 0; i < Outputs; ++i) estimate_ += gain_.col(i) * innovation_[i];
    }
    return estimate_;
  }
  void predict(const Input& u) noexcept {
    Rows sum = advanced_;
    for (int i = 0; i < Inputs; ++i) {
      if (std::isfinite(u[i])) input_[i] = u[i];
      sum += by_input_.col(i) * input_[i];
    }
    for (int i = 0; i < Outputs; ++i) sum += by_innovation_.col(i) * innovation_[i];
    x_ = sum;
  }

  const State& estimate() const noexcept { return estimate_; }
  State state() const noexcept { return x_.template head<N>(); }
  const Measurements& innovation() const noexcept { return innovation_; }
  const Gain& gain() const noexcept { return gain_; }
  Gain predictor_gain() const noexcept { return by_innovation_.template topRows<N>(); }
  ObserverForm form() const noexcept { return form_; }

 private:
  // Below the states stand the outputs: A x and C x are one pass over whole registers. What follows the states in x_ is
  // never read.
  static constexpr int kRows = N + Outputs;
  using Rows = PaddedVector<T, kRows>;

  void advance() noexcept {
    // Few rows would wait for each other's sums: they are split.
    constexpr int kParts = std::min(N, Rows::RowsAtCompileTime * static_cast<int>(sizeof(T)) <= 96 ? 4 : 1);
    std::array<Rows, kParts> sum;
    for (int k = 0; k < kParts; ++k) sum[static_cast<std::size_t>(k)] = model_.col(k) * x_[k];
    for (int k = kParts; k < N; ++k) sum[static_cast<std::size_t>(k % kParts)] += model_.col(k) * x_[k];
    for (int k = 1; k < kParts; ++k) sum[0] += sum[static_cast<std::size_t>(k)];
    advanced_ = sum[0];
  }

  ObserverForm form_;
  PaddedMatrix<T, kRows, N> model_ = PaddedMatrix<T, kRows, N>::Zero();  // [A; C]
  PaddedMatrix<T, kRows, Inputs> by_input_ = PaddedMatrix<T, kRows, Inputs>::Zero();
  PaddedMatrix<T, kRows, Outputs> by_innovation_ = PaddedMatrix<T, kRows, Outputs>::Zero();
  Rows x_ = Rows::Zero(), advanced_ = Rows::Zero();
  Gain gain_ = Gain::Zero();
  State estimate_ = State::Zero();
  Measurements innovation_ = Measurements::Zero();
  Input input_ = Input::Zero();
};

}  // namespace tauhat
