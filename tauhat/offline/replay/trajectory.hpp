// What a filter did over a timeline, and the pass that records it: correct with what was measured, then predict to the
// next instant. All that replays, smooths or iterates goes through here.
#pragma once

#include <algorithm>
#include <vector>

#include "tauhat/core/filters/ekf.hpp"
#include "tauhat/core/filters/smoother.hpp"
#include "tauhat/offline/replay/timeline.hpp"

namespace tauhat {

// The belief, the transition and the corrections of each step: what a smoother reads.
template <class F>
struct Trajectory {
  std::vector<StepRecord<double, F::kStates>> steps;
  std::vector<CorrectionRecord<double, F::kStates>> corrections;

  void clear() {
    steps.clear();
    corrections.clear();
  }
  // Each x(k|k) becomes x(k|all); `sweep` may come from what followed.
  void smooth(BackwardSweep<double, F::kStates>& sweep) {
    tauhat::smooth<double, F::kStates>(steps, corrections, sweep);
  }
  void smooth() {
    BackwardSweep<double, F::kStates> sweep;
    smooth(sweep);
  }
};

template <class F>
typename F::Input input_at(const Timeline& timeline, std::size_t k) {
  typename F::Input input;
  for (int i = 0; i < F::Model::kInputs; ++i) input[i] = timeline.inputs[static_cast<std::size_t>(i)][k];
  return input;
}

struct IgnoreCorrections {
  void operator()(std::size_t, std::size_t, const Correction<double>&) const noexcept {}
};
struct IgnoreInstants {
  void operator()(std::size_t) const noexcept {}
};

// How a pass may differ from the plain one.
template <class F>
struct PassOptions {
  std::size_t first = 0, last = 0;                        // instants [first, last)
  Trajectory<F>* store = nullptr;                         // for a smoother
  const std::vector<typename F::State>* about = nullptr;  // points of linearisation, one per instant of the timeline
  // Instants before which the sign of a state turns over, with what variance is added to it then.
  const std::vector<std::size_t>* flips = nullptr;
  int flipped_state = 0;
  double flip_variance = 0.0;
};

// `corrected(k, sensor, correction)` and `done(k)`, x(k|k), look on. Returns how many predictions failed.
template <class F, class Corrected = IgnoreCorrections, class Done = IgnoreInstants>
std::size_t run_pass(F& filter, const Timeline& timeline, const PassOptions<F>& options, Corrected&& corrected = {},
                     Done&& done = {}) {
  std::size_t failed = 0;
  Trajectory<F>* store = options.store;
  for (std::size_t k = options.first; k < options.last; ++k) {
    PaddedMatrix<double, F::kStates>* transition = nullptr;
    if (store) transition = &store->steps.emplace_back().transition;
    if (k > 0) {
      const auto input = input_at<F>(timeline, k - 1);
      const double dt = timeline.interval(k - 1);
      const StepStatus status = options.about ? filter.predict_about((*options.about)[k - 1], input, dt, transition)
                                              : filter.predict(input, dt, transition);
      failed += status != StepStatus::ok;
      if (options.flips && std::binary_search(options.flips->begin(), options.flips->end(), k))
        filter.flip(options.flipped_state, options.flip_variance, transition);
    }
    const std::size_t first_record = store ? store->corrections.size() : 0;
    for (std::size_t s = 0; s < timeline.sensors.size(); ++s) {
      const auto& sensor = timeline.sensors[s];
      const auto correction = filter.correct({sensor.output, sensor.value[k], sensor.variance});
      if (store && correction.status == StepStatus::ok) store->corrections.push_back(filter.record_of(correction));
      corrected(k, s, correction);
    }
    if (store) {
      auto& step = store->steps.back();
      step.posterior = filter.belief();
      step.first_correction = static_cast<std::uint32_t>(first_record);
      step.corrections = static_cast<std::uint32_t>(store->corrections.size() - first_record);
    }
    done(k);
  }
  return failed;
}

}  // namespace tauhat
