// From a study and its log to what a fit works on: the timeline with each sensor's noise, and the start of the filter.
#pragma once

#include "tauhat/offline/log/log.hpp"
#include "tauhat/offline/study/study.hpp"

namespace tauhat {

struct Prepared {
  Timeline timeline;
  BacklashOptions options;
  std::vector<Diagnostic> diagnostics;  // of the log, and what was assumed of the noise
};

Prepared prepare(const Study& study, const Log& log);

// Standard deviation of white noise on a smooth signal, from its third differences (robust).
double noise_from_differences(const std::vector<double>& value);

}  // namespace tauhat
