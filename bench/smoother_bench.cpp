// Filter and fixed-interval smoother of a whole recording, per sample, beside a textbook's filter and
// Rauch-Tung-Striebel smoother. Both store into memory that was there before.
#include "bench/race.hpp"
#include "bench/smoothing.hpp"

namespace tauhat::bench {
namespace {

template <int States>
void BM_Smoother(benchmark::State& state) {
  using Drive = FlexibleDrive<States>;
  const Drive drive;
  const auto samples = record(drive);
  Smoothing<Drive> ours(drive, samples.size());
  TextbookSmoothing<Drive> textbook(drive, samples.size());
  race(
      state, static_cast<double>(samples.size()),
      [&] {
        ours.run(samples);
        benchmark::ClobberMemory();
      },
      [&] {
        textbook.run(samples);
        benchmark::ClobberMemory();
      });
}
BENCHMARK(BM_Smoother<4>)->Name("BM_Smoother4")->UseManualTime()->Unit(benchmark::kMicrosecond);
BENCHMARK(BM_Smoother<7>)->Name("BM_Smoother7")->UseManualTime()->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace tauhat::bench
