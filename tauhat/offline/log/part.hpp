// A stretch of a log.
#pragma once

#include <string>
#include <vector>

#include "tauhat/offline/log/log.hpp"

namespace tauhat {

// Of every channel the samples from `begin` to `end`, in s.
Log part_of(const Log& log, double begin, double end);

bool is_longer(const Log& log, std::size_t samples);

// The log itself, or of a longer one so many samples of its longest channel, out of the middle.
Log middle_of(const Log& log, std::size_t samples);

// So many periods without a sample are bridged; over more, nobody knows what happened.
inline constexpr double kBridgedPeriods = 10.0;

// A stretch of time without a sample of what drives the model, longer than those periods. A filter that holds the
// last one so long is pushed by a torque that never was.
struct Hole {
  double begin = 0.0, end = 0.0;  // s, by the log's clock

  double milliseconds() const { return 1e3 * (end - begin); }
};
// The last one may reach to the end of the log.
std::vector<Hole> holes_of(const Log& log, const std::string& signal);

// From the first sample of any channel to the last.
struct Span {
  double begin = 0.0, end = 0.0;
};
Span span_of(const Log& log);

// The longest part of the log between holes of this signal; where that is not all of it, it says so.
Log without_holes(const Log& log, const std::string& signal);

}  // namespace tauhat
