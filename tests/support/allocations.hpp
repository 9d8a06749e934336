// Calls of the allocator in this thread so far. Counted in the programs that replace malloc: laws/allocation_test.cpp.
#pragma once

namespace tauhat {

long allocations_so_far() noexcept;

template <class Work>
long allocations_of(Work&& work) {
  const long before = allocations_so_far();
  work();
  return allocations_so_far() - before;
}

}  // namespace tauhat
