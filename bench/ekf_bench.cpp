// One step of the filter, beside a textbook's: predict, correct with every sensor, gate, normalised
// innovation.
#include "bench/race.hpp"
#include "bench/textbook_run.hpp"
#include "tauhat/core/filters/ekf.hpp"

namespace tauhat::bench {
namespace {

template <class Drive>
double run(Ekf<Drive>& filter, const std::vector<Sample<Drive>>& samples) {
  filter.reset(Gaussian<double, Drive::kStates>::from_variances(Drive::start(), Drive::start_variances()));
  double nis = 0.0;
  for (const auto& sample : samples) {
    filter.predict(sample.input, kInterval);
    for (int s = 0; s < Drive::kSensors; ++s) nis += filter.correct({s, sample.sensors[s], kSensorVariance}).nis();
  }
  return nis;
}

template <int States, Tangent Kind = Tangent::core>
void BM_Ekf(benchmark::State& state) {
  using Drive = FlexibleDrive<States, Kind>;
  const Drive drive;
  const auto samples = record(drive);
  Ekf<Drive> ours(drive, {});
  ours.set_gate(kGate);
  TextbookEkf<Drive> textbook(drive, Drive::start(), Drive::start_variances(), kSensorVariance, kGate);
  race(
      state, static_cast<double>(samples.size()), [&] { benchmark::DoNotOptimize(run(ours, samples)); },
      [&] { benchmark::DoNotOptimize(run(textbook, samples)); });
}
BENCHMARK(BM_Ekf<4>)->Name("BM_Ekf4")->UseManualTime()->Unit(benchmark::kMicrosecond);
BENCHMARK(BM_Ekf<7>)->Name("BM_Ekf7")->UseManualTime()->Unit(benchmark::kMicrosecond);
// Half of the small filter's step is the hyperbolic tangent: the same with the standard library's on both sides.
BENCHMARK((BM_Ekf<4, Tangent::standard>))->Name("BM_Ekf4_std_tanh")->UseManualTime()->Unit(benchmark::kMicrosecond);
BENCHMARK((BM_Ekf<7, Tangent::standard>))->Name("BM_Ekf7_std_tanh")->UseManualTime()->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace tauhat::bench
