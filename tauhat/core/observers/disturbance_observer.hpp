// An observer with a fixed gain and, around it, what finds the disturbance at one of its inputs
// (disturbance_design.hpp).
#pragma once

#include "tauhat/core/observers/disturbance_design.hpp"
#include "tauhat/core/observers/fixed_gain.hpp"

namespace tauhat {

template <int N, int Inputs>
class DisturbanceObserver {
 public:
  using Inner = FixedGainObserver<double, N, Inputs, 1>;
  using State = typename Inner::State;
  using Input = typename Inner::Input;
  using Measurements = typename Inner::Measurements;

  // A design that was refused finds nothing: the disturbance stays zero.
  DisturbanceObserver(const Inner& observer, const DisturbanceDesign<N>& design, int input = 0) noexcept
      : observer_(observer), design_(design), input_(input) {}

  void start(const State& x) noexcept {
    observer_.start(x);
    filter_.setZero();
    disturbance_ = 0.0;
  }

  const State& step(const Input& u, const Measurements& y) noexcept {
    correct(y);
    predict(u);
    return observer_.estimate();
  }
  const State& correct(const Measurements& y) noexcept {
    observer_.correct(y);
    if (design_.designed()) find_disturbance(observer_.innovation()[0]);
    return observer_.estimate();
  }
  void predict(const Input& u) noexcept {
    Input rest = u;
    rest[input_] -= disturbance_;
    observer_.predict(rest);
  }

  // Another pose. The disturbance's regulator stays: it was designed for the model that it was given.
  void reschedule(const Matrix<double, N>& a, const Matrix<double, N, Inputs>& b) noexcept {
    observer_.reschedule(a, b);
  }
  void reschedule(const Matrix<double, N>& a, const Matrix<double, N, Inputs>& b,
                  const typename Inner::Gain& gain) noexcept {
    observer_.reschedule(a, b, gain);
  }

  // In the input's unit, against the input: friction is positive where it brakes a positive torque.
  double disturbance() const noexcept { return disturbance_; }
  const State& estimate() const noexcept { return observer_.estimate(); }
  State state() const noexcept { return observer_.state(); }
  const Inner& observer() const noexcept { return observer_; }

 private:
  // x_i+ = x_i + r (x_(i-1) - R_i x_(n-1) + (A - R)_i e),   d_hat = -s0 (e + x_(n-1))
  void find_disturbance(double e) noexcept {
    const double last = filter_[N - 1];
    disturbance_ = -design_.gain * (e + last);
    Vector<double, N> change = design_.numerator * e - design_.denominator * last;
    change.template tail<N - 1>() += filter_.template head<N - 1>();
    filter_ += design_.rate * change;
  }

  Inner observer_;
  DisturbanceDesign<N> design_;
  int input_;
  Vector<double, N> filter_ = Vector<double, N>::Zero();
  double disturbance_ = 0.0;
};

}  // namespace tauhat
