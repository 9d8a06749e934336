// One scalar measurement, and what came of it. Every consistency test, gate and tuner reads a Correction.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <numbers>

namespace tauhat {

enum class StepStatus : std::uint8_t {
  ok,
  missing,                  // NaN: nothing was measured; the belief is unchanged
  gated,                    // too far from the prediction; the belief is unchanged
  innovation_not_positive,  // the variance is not a positive number; the belief is unchanged
  input_held,               // an input was not finite: the last good one was used
  interval_not_positive,    // dt is not a positive number: no prediction
  diverged,                 // the step would have made the belief non-finite: it is unchanged
};

template <class T>
struct Measurement {
  int output = 0;  // which of the model's outputs
  T value = std::numeric_limits<T>::quiet_NaN();
  T variance = T(1);
};

template <class T>
struct Correction {
  StepStatus status = StepStatus::missing;
  T innovation = T(0), variance = T(0);

  // Normalised innovation squared: one on average when filter and truth agree. Nothing measured says nothing: zero.
  T nis() const noexcept { return variance > T(0) ? innovation * innovation / variance : T(0); }
  T log_likelihood() const noexcept {
    if (!(variance > T(0))) return T(0);
    return T(-0.5) * (std::log(T(2) * std::numbers::pi_v<T> * variance) + nis());
  }
};

}  // namespace tauhat
