// Runs a filter over samples the way replay does (correct, then predict) and keeps what a smoother reads.
#pragma once

#include <span>
#include <vector>

#include "tauhat/core/filters/ekf.hpp"
#include "tauhat/core/filters/smoother.hpp"

namespace tauhat {

template <class F>
struct Recorded {
  using T = typename F::Scalar;
  std::vector<StepRecord<T, F::kStates>> steps;
  std::vector<CorrectionRecord<T, F::kStates>> corrections;
  std::vector<Gaussian<T, F::kStates>> predicted;  // x(k|k-1)
  std::vector<Correction<T>> all;                  // in order, also those that were not applied
};

// samples[k] are the sensors at instant k; inputs[k] is held from instant k to k + 1.
template <class F, class Samples>
Recorded<F> record_run(F& filter, const Samples& samples, const std::vector<typename F::Input>& inputs,
                       typename F::Scalar dt) {
  Recorded<F> run;
  for (std::size_t k = 0; k < samples.size(); ++k) {
    auto& step = run.steps.emplace_back();
    if (k > 0) filter.predict(inputs[k - 1], dt, &step.transition);
    run.predicted.push_back(filter.belief());
    const auto first = static_cast<std::uint32_t>(run.corrections.size());
    for (const auto& z : samples[k]) {
      run.all.push_back(filter.correct(z));
      const auto& done = run.all.back();
      if (done.status != StepStatus::ok) continue;
      run.corrections.push_back(filter.record_of(done));
    }
    step.posterior = filter.belief();
    step.first_correction = first;
    step.corrections = static_cast<std::uint32_t>(run.corrections.size()) - first;
  }
  return run;
}

template <class F>
void smooth_run(Recorded<F>& run) {
  BackwardSweep<typename F::Scalar, F::kStates> sweep;
  smooth<typename F::Scalar, F::kStates>(run.steps, run.corrections, sweep);
}

}  // namespace tauhat
