// Two ways to do the same work, timed in one run: batches alternate, and each side counts its quickest batch,
// so that what else the machine does cancels.
#pragma once

#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <limits>
#include <string>

namespace tauhat::bench {

template <class Work>
double nanoseconds_of(Work&& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now() - start).count();
}

// Each call of `ours` and `theirs` is a batch of this many steps.
template <class Ours, class Theirs>
void race(benchmark::State& state, double steps, Ours&& ours, Theirs&& theirs, const std::string& peer = "textbook") {
  double our_best = std::numeric_limits<double>::infinity(), their_best = our_best;
  for (auto _ : state) {
    const double elapsed = nanoseconds_of(ours);
    state.SetIterationTime(elapsed * 1e-9);
    our_best = std::min(our_best, elapsed);
    their_best = std::min(their_best, nanoseconds_of(theirs));
  }
  state.counters["step_ns"] = our_best / steps;
  state.counters[peer + "_step_ns"] = their_best / steps;
  state.counters["times_faster_than_" + peer] = their_best / our_best;
}

}  // namespace tauhat::bench
