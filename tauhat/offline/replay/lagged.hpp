// A pass followed by a fixed-lag smoother: x(k-lag|k) as each sample comes, and at the end what there is.
#pragma once

#include <algorithm>

#include "tauhat/core/filters/fixed_lag.hpp"
#include "tauhat/offline/replay/trajectory.hpp"

namespace tauhat {

template <class F>
class Lagged {
 public:
  explicit Lagged(std::size_t lag) : smoother_(lag) {}

  // After an instant whose records are the last of `trajectory`: emit(k, belief) for the instant `lag` before it.
  template <class Emit>
  void follow(const Trajectory<F>& trajectory, Emit&& emit) {
    const auto& step = trajectory.steps.back();
    const auto corrections = std::span(trajectory.corrections).subspan(step.first_correction, step.corrections);
    if (smoother_.push(step.transition, corrections, step.posterior))
      emit(smoother_.samples() - 1 - smoother_.lag(), smoother_.smoothed());
  }

  // The record is over: the instants younger than the lag, oldest first.
  template <class Emit>
  void finish(Emit&& emit) {
    smoother_.finish();
    for (std::size_t age = std::min(smoother_.lag(), smoother_.samples()); age-- > 0;)
      emit(smoother_.samples() - 1 - age, smoother_.smoothed(age));
  }

 private:
  FixedLag<double, F::kStates> smoother_;
};

}  // namespace tauhat
