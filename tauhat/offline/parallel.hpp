// Independent work on all cores. Each piece knows its number alone, so the result is the same for any number of
// threads.
#pragma once

#include <atomic>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace tauhat {

// Calls run(0) ... run(count - 1); `done(share)` may be called from any thread, one at a time.
inline void for_each_in_parallel(std::size_t count, const std::function<void(std::size_t)>& run,
                                 const std::function<void(double)>& done = {}) {
  std::atomic<std::size_t> next{0}, finished{0};
  std::exception_ptr problem;
  std::mutex guard;
  const auto work = [&] {
    for (std::size_t i = next++; i < count; i = next++) {
      try {
        run(i);
      } catch (...) {
        const std::lock_guard lock(guard);
        if (!problem) problem = std::current_exception();
        next = count;
        return;
      }
      const double share = static_cast<double>(++finished) / static_cast<double>(count);
      const std::lock_guard lock(guard);
      if (done) done(share);
    }
  };
  std::vector<std::thread> threads;
  const unsigned cores = std::max(1U, std::thread::hardware_concurrency());
  for (unsigned t = 1; t < cores; ++t) threads.emplace_back(work);
  work();
  for (auto& thread : threads) thread.join();
  if (problem) std::rethrow_exception(problem);
}

}  // namespace tauhat
