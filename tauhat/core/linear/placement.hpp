// What placing an observer's poles gives: the gain, and how well it holds what was asked for.
#pragma once

#include <cmath>

#include "tauhat/core/linear/spectrum.hpp"

namespace tauhat {

enum class PlacementStatus {
  placed,
  poles_at_fault,  // see `poles`
  model_not_finite,
  not_observable,      // core/linear/observability.hpp names the mode
  outputs_dependent,   // one output says what others say: leave it out
  repeated_too_often,  // a pole more often than there are outputs
  inaccurate           // the gain is what rounding left of it
};

template <class T, int N, int Outputs>
struct PolePlacement {
  Matrix<T, N, Outputs> gain = cleared<Matrix<T, N, Outputs>>();  // L of the predictor x+ = A x + B u + L (y - C x)
  Poles<T, N> achieved = cleared<Poles<T, N>>();
  T error = std::numeric_limits<T>::infinity();  // the largest distance of an achieved pole from a wanted one
  T condition = T(0);                            // of the eigenvectors, where they were chosen: several outputs
  PoleCheck poles;
  PlacementStatus status = PlacementStatus::placed;

  bool placed() const noexcept { return status == PlacementStatus::placed; }
  PolePlacement& with(PlacementStatus reason) noexcept {
    status = reason;
    return *this;
  }
};

// How often the most frequent pole is wanted: `near` apart they are the same.
template <class T, int N>
int multiplicity(const Poles<T, N>& poles, T near) noexcept {
  int most = 0;
  for (int i = 0; i < rows_of(poles); ++i) {
    int same = 0;
    for (int j = 0; j < rows_of(poles); ++j) same += std::abs(poles[j] - poles[i]) <= near ? 1 : 0;
    most = std::max(most, same);
  }
  return most;
}

// The poles of A - L C as they are. m equal poles move by the m-th root of a perturbation: they are held to that.
template <class T, int N, int Outputs>
PolePlacement<T, N, Outputs> checked_placement(const Matrix<T, N>& a, const Matrix<T, Outputs, N>& c,
                                               const Poles<T, N>& poles, PolePlacement<T, N, Outputs> result) noexcept {
  const T allowed = std::sqrt(std::numeric_limits<T>::epsilon());
  result.achieved = sampled_poles<T, N>(a - result.gain * c);
  result.error = largest_distance<T, N>(poles, result.achieved);
  const int together = multiplicity<T, N>(poles, T(1e-3));
  const bool accurate = result.error <= std::pow(allowed, T(1) / static_cast<T>(together));
  return result.with(accurate ? PlacementStatus::placed : PlacementStatus::inaccurate);
}

}  // namespace tauhat
