// One step of a filter followed by its fixed-lag smoother, beside the step of the plain filter: n = 3, a body whose
// friction is a random walk. Lags alternate with the filter in one run, so that what else the machine does cancels.
//
//   over_filter    at most 10: a step with the lag over a plain one
//   over_lag_100   at most 1.5: the cost does not grow with the lag
//   median_ns, q999_ns, worst_ns   of 10^6 single steps with lag 1600
#include <benchmark/benchmark.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "bench/race.hpp"
#include "tauhat/core/filters/ekf.hpp"
#include "tauhat/core/filters/fixed_lag.hpp"
#include "tauhat/core/models/axis.hpp"
#include "tauhat/core/unknowns/random_walk.hpp"

namespace tauhat::bench {
namespace {

using FreeFriction = Augmented<Axis<double>, RandomWalk<Axis<double>::friction_force>>;
using Filter = Ekf<FreeFriction>;
constexpr int kStates = FreeFriction::kStates;
constexpr double kInterval = 2.5e-4;  // s
constexpr int kBatch = 4096;

FreeFriction model() {
  FreeFriction friction;
  friction.model.mass = 0.5;
  friction.model.damping = 0.1;
  friction.intensity = 2.0;
  return friction;
}

Filter fresh_filter() {
  return {model(), Gaussian<double, kStates>::from_variances({0.0, 0.0, 0.0}, {1e-4, 1e-2, 1.0})};
}

struct Sample {
  Vector<double, 1> force;
  double position;
};

std::vector<Sample> recording() {
  std::vector<Sample> samples(kBatch);
  for (int k = 0; k < kBatch; ++k) {
    const double t = kInterval * k;
    samples[static_cast<std::size_t>(k)] = {Vector<double, 1>(std::sin(9.0 * t)), 0.02 * std::sin(7.0 * t + 0.1)};
  }
  return samples;
}

struct Plain {
  Filter filter = fresh_filter();
  void step(const Sample& sample) {
    filter.predict(sample.force, kInterval);
    filter.correct({Axis<double>::position_output, sample.position, 1e-8});
    benchmark::DoNotOptimize(filter.belief().mean[FreeFriction::kWalk]);
  }
};

struct WithLag {
  explicit WithLag(std::size_t lag) : smoother(lag) {}
  Filter filter = fresh_filter();
  FixedLag<double, kStates> smoother;
  void step(const Sample& sample) {
    PaddedMatrix<double, kStates> transition;
    filter.predict(sample.force, kInterval, &transition);
    const auto correction = filter.correct({Axis<double>::position_output, sample.position, 1e-8});
    const std::array records{filter.record_of(correction)};
    if (smoother.push(transition, records, filter.belief()))
      benchmark::DoNotOptimize(smoother.smoothed().mean[FreeFriction::kWalk]);
  }
};

template <class Stepper>
double nanoseconds_of_batch(Stepper& stepper, const std::vector<Sample>& samples) {
  return nanoseconds_of([&] {
    for (const Sample& sample : samples) stepper.step(sample);
  });
}

void BM_FixedLag(benchmark::State& state) {
  const auto samples = recording();
  Plain plain;
  WithLag lagged(static_cast<std::size_t>(state.range(0))), short_lag(100);
  double filter_best = std::numeric_limits<double>::infinity(), lag_best = filter_best, short_best = filter_best;
  for (int i = 0; i < 4; ++i) nanoseconds_of_batch(lagged, samples);  // fills the longest lag
  for (auto _ : state) {
    const double elapsed = nanoseconds_of_batch(lagged, samples);
    state.SetIterationTime(elapsed * 1e-9);
    lag_best = std::min(lag_best, elapsed);
    short_best = std::min(short_best, nanoseconds_of_batch(short_lag, samples));
    filter_best = std::min(filter_best, nanoseconds_of_batch(plain, samples));
  }
  state.counters["step_ns"] = lag_best / kBatch;
  state.counters["filter_step_ns"] = filter_best / kBatch;
  state.counters["over_filter"] = lag_best / filter_best;
  state.counters["over_lag_100"] = lag_best / short_best;
}
BENCHMARK(BM_FixedLag)->Arg(100)->Arg(800)->Arg(1600)->UseManualTime()->Unit(benchmark::kMicrosecond);

// The worst step of a million, which a control loop has to wait for, beside the median. Interrupts of the machine are
// in it, too: the plain filter, timed step by step in turn, shows how much of it is theirs, and so does the 99.9 %
// quantile, since every step of the smoother does the same work.
void BM_FixedLagWorstStep(benchmark::State& state) {
  constexpr std::size_t kSteps = 1'000'000;
  const auto samples = recording();
  Plain plain;
  WithLag lagged(1600);
  for (int i = 0; i < 4; ++i) nanoseconds_of_batch(lagged, samples);
  std::vector<double> lag_steps(kSteps), filter_steps(kSteps);
  for (auto _ : state) {
    double all = 0.0;
    for (std::size_t k = 0; k < kSteps; ++k) {
      const Sample& sample = samples[k % kBatch];
      all += lag_steps[k] = nanoseconds_of([&] { lagged.step(sample); });
      filter_steps[k] = nanoseconds_of([&] { plain.step(sample); });
    }
    state.SetIterationTime(all * 1e-9);
  }
  for (auto* steps : {&lag_steps, &filter_steps}) {
    std::sort(steps->begin(), steps->end());
    const std::string of = steps == &lag_steps ? "" : "filter_";
    state.counters[of + "median_ns"] = (*steps)[kSteps / 2];
    state.counters[of + "q999_ns"] = (*steps)[kSteps - kSteps / 1000];
    state.counters[of + "worst_ns"] = steps->back();
  }
}
BENCHMARK(BM_FixedLagWorstStep)->Iterations(1)->UseManualTime()->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace tauhat::bench
