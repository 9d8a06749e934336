// One step of an observer with a fixed gain, beside one step of a textbook's extended Kalman filter of four states
// (ekf_bench.cpp); the design of a gain, beside SLICOT's where it is installed; a model's exact hold, as a schedule of
// poses rebuilds it.
//
//   over_textbook              at most 0.25 for seven states, 1.5 for thirty with six sensors
//   times_faster_than_slicot   at least 4 (Riccati), 1.5 (poles)
#include <benchmark/benchmark.h>

#include "bench/race.hpp"
#include "bench/textbook_run.hpp"
#include "tauhat/core/observers/fixed_gain.hpp"

namespace tauhat::bench {
namespace {

template <int N, int Inputs, int Outputs>
FixedGainObserver<double, N, Inputs, Outputs> some_observer(ObserverForm form) {
  std::mt19937 seed(7);
  std::normal_distribution<double> draw;
  const auto drawn = [&](auto matrix) { return decltype(matrix)::NullaryExpr([&](auto, auto) { return draw(seed); }); };
  // Of norm below one, with the gain's part: it stays where it is.
  const Matrix<double, N> a = drawn(Matrix<double, N>()) * (0.3 / std::sqrt(N));
  return {a, drawn(Matrix<double, N, Inputs>()), drawn(Matrix<double, Outputs, N>()) * 0.1, form,
          drawn(Matrix<double, N, Outputs>()) * 0.1};
}

template <int N, int Inputs, int Outputs, ObserverForm Form>
void BM_FixedGain(benchmark::State& state) {
  using Drive = FlexibleDrive<4>;
  const Drive drive;
  const auto samples = record(drive);
  TextbookEkf<Drive> textbook(drive, Drive::start(), Drive::start_variances(), kSensorVariance, kGate);
  auto observer = some_observer<N, Inputs, Outputs>(Form);
  using Observer = decltype(observer);
  double ours = std::numeric_limits<double>::infinity(), theirs = ours;
  for (auto _ : state) {
    const double elapsed = nanoseconds_of([&] {
      double sum = 0.0;
      for (const auto& sample : samples) {
        sum += observer.step(Observer::Input::Constant(sample.input[0]),
                             Observer::Measurements::Constant(sample.sensors[0]))[0];
      }
      benchmark::DoNotOptimize(sum);
    });
    state.SetIterationTime(elapsed * 1e-9);
    ours = std::min(ours, elapsed);
    theirs = std::min(theirs, nanoseconds_of([&] { benchmark::DoNotOptimize(run(textbook, samples)); }));
  }
  state.counters["step_ns"] = ours / static_cast<double>(samples.size());
  state.counters["textbook_step_ns"] = theirs / static_cast<double>(samples.size());
  state.counters["over_textbook"] = ours / theirs;
}
BENCHMARK((BM_FixedGain<7, 1, 1, ObserverForm::predictor>))->Name("BM_FixedGain7")->UseManualTime();
BENCHMARK((BM_FixedGain<7, 1, 1, ObserverForm::filter>))->Name("BM_FixedGain7_filter")->UseManualTime();
BENCHMARK((BM_FixedGain<30, 6, 6, ObserverForm::predictor>))->Name("BM_FixedGain30")->UseManualTime();
BENCHMARK((BM_FixedGain<30, 6, 6, ObserverForm::filter>))->Name("BM_FixedGain30_filter")->UseManualTime();

}  // namespace
}  // namespace tauhat::bench
