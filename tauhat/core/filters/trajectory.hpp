// What a filter did, step by step: enough for a smoother, and for every plot and test. The storage is the caller's.
#pragma once

#include <cstdint>

#include "tauhat/core/filters/correction.hpp"
#include "tauhat/core/gaussian.hpp"

namespace tauhat {

// One applied scalar correction: e, S, the output's gradient h and the gain K.
template <class T, int N>
struct CorrectionRecord {
  T innovation = T(0), variance = T(1);
  Vector<T, N> gradient, gain;
};

// One instant: the belief x(k|k) after its corrections, and the transition that led there from the instant before.
template <class T, int N>
struct StepRecord {
  Gaussian<T, N> posterior;
  PaddedMatrix<T, N> transition = PaddedMatrix<T, N>::Identity();
  std::uint32_t first_correction = 0, corrections = 0;  // in the trajectory's list of corrections
};

}  // namespace tauhat
