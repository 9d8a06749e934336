// A recording filtered forwards and smoothed backwards, by the core and by the textbook: timed in
// smoother_bench.cpp, compared in tests/laws/textbook_test.cpp.
#pragma once

#include <span>
#include <vector>

#include "bench/recording.hpp"
#include "bench/textbook.hpp"
#include "tauhat/core/filters/ekf.hpp"
#include "tauhat/core/filters/smoother.hpp"

namespace tauhat::bench {

template <class Drive>
Gaussian<double, Drive::kStates> prior() {
  return Gaussian<double, Drive::kStates>::from_variances(Drive::start(), Drive::start_variances());
}

template <class Drive>
class Smoothing {
 public:
  static constexpr int kStates = Drive::kStates;

  Smoothing(const Drive& drive, std::size_t steps)
      : filter_(drive, prior<Drive>()), steps_(steps), corrections_(steps * Drive::kSensors) {}

  void run(std::span<const Sample<Drive>> samples) {
    filter_.reset(prior<Drive>());
    std::uint32_t applied = 0;
    for (std::size_t k = 0; k < samples.size(); ++k) {
      StepRecord<double, kStates>& step = steps_[k];
      step.first_correction = applied;
      filter_.predict(samples[k].input, kInterval, &step.transition);
      for (int s = 0; s < Drive::kSensors; ++s) {
        const auto correction = filter_.correct({s, samples[k].sensors[s], kSensorVariance});
        if (correction.status != StepStatus::ok) continue;
        corrections_[applied++] = filter_.record_of(correction);
      }
      step.corrections = applied - step.first_correction;
      step.posterior.mean = filter_.belief().mean;
      step.posterior.padded_covariance = filter_.belief().padded_covariance;
    }
    BackwardSweep<double, kStates> sweep;
    smooth(std::span(steps_).first(samples.size()), std::span<const CorrectionRecord<double, kStates>>(corrections_),
           sweep);
  }

  const Gaussian<double, kStates>& at(std::size_t k) const { return steps_[k].posterior; }

 private:
  Ekf<Drive> filter_;
  std::vector<StepRecord<double, kStates>> steps_;
  std::vector<CorrectionRecord<double, kStates>> corrections_;
};

template <class Drive>
class TextbookSmoothing {
 public:
  TextbookSmoothing(const Drive& drive, std::size_t steps)
      : filter_(drive, Drive::start(), Drive::start_variances(), kSensorVariance,
                std::numeric_limits<double>::infinity()),
        steps_(steps) {}

  void run(std::span<const Sample<Drive>> samples) {
    filter_.reset(Drive::start(), Drive::start_variances());
    for (std::size_t k = 0; k < samples.size(); ++k) {
      TextbookRecord<Drive::kStates>& step = steps_[k];
      filter_.predict(samples[k].input, kInterval);
      step.predicted_mean = filter_.mean();
      step.predicted_covariance = filter_.covariance();
      step.transition = filter_.transition();
      filter_.correct(samples[k].sensors);
      step.mean = filter_.mean();
      step.covariance = filter_.covariance();
    }
    smooth_as_textbook(std::span(steps_).first(samples.size()));
  }

  const TextbookRecord<Drive::kStates>& at(std::size_t k) const { return steps_[k]; }

 private:
  TextbookEkf<Drive> filter_;
  std::vector<TextbookRecord<Drive::kStates>> steps_;
};

}  // namespace tauhat::bench
