// A long record says the same many times over: the stretch with the most reversals is enough to choose a law by.
#pragma once

#include <cstddef>

#include "tauhat/offline/friction/blind.hpp"
#include "tauhat/offline/replay/timeline.hpp"

namespace tauhat {

struct Excerpt {
  std::size_t first = 0;
  Timeline timeline;
  BlindSmoothing blind;
};

// The whole record where it is not longer than `longest` samples.
Excerpt telling_excerpt(const Timeline& timeline, const BlindSmoothing& blind, std::size_t longest);

}  // namespace tauhat
