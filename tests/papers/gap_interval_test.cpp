// How sure the gap's filter says that it is, beside how right it is. 240 seeds (1 ... 240) gave: of the size's 95 %
// intervals 99.2 % hold the truth from stamps, 98.3 % from bus-rate speeds, of the offset's all.
#include <gtest/gtest.h>

#include <cmath>

#include "tauhat/offline/report/uncertainty.hpp"
#include "tauhat/offline/reproduce/lagerberg_filters.hpp"

namespace tauhat::lagerberg {
namespace {

// Errors in their standard deviations.
struct Intervals {
  int count = 0, missed = 0;
  double square = 0.0;

  void add(double error, double std) {
    const double z = error / std;
    ++count, missed += std::abs(z) > k95, square += z * z;
  }
  double rms() const { return std::sqrt(square / count); }
};

TEST(GapIntervals, HoldTheTruthAndAreNotIdle) {
  Intervals size, offset, bus;
  for (std::uint64_t seed = 9001; seed <= 9020; ++seed) {
    const auto run = make_run(seed, seed, Teeth::imperfect);
    const LearnedGap by_stamps = run_unknown_gap(run, {}), by_bus = run_bus(run, seed);
    size.add(by_stamps.size.back() - 2.0 * kHalfGap, by_stamps.size_std);
    offset.add(by_stamps.offset.back() - kOffset, by_stamps.offset_std);
    bus.add(by_bus.size.back() - 2.0 * kHalfGap, by_bus.size_std);
  }
  for (const Intervals& one : {size, offset, bus}) {
    EXPECT_LE(one.missed, 3);  // of 20: more than that in 2 of 100 such tests
    // 0.52 (offset) to 0.83 (bus) over the 240 seeds; that of 20 scatters by 16 %, here three times as much.
    EXPECT_GT(one.rms(), 0.27);
    EXPECT_LT(one.rms(), 1.3);
  }
}

}  // namespace
}  // namespace tauhat::lagerberg
