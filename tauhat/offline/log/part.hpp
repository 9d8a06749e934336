// A stretch of a log.
#pragma once

#include "tauhat/offline/log/log.hpp"

namespace tauhat {

// Of every channel the samples from `begin` to `end`, in s.
Log part_of(const Log& log, double begin, double end);

bool is_longer(const Log& log, std::size_t samples);

// The log itself, or of a longer one so many samples of its longest channel, out of the middle.
Log middle_of(const Log& log, std::size_t samples);

}  // namespace tauhat
