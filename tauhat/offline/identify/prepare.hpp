// From a study and its log to what a fit works on: the timeline with each sensor's noise, and the start of the filter.
#pragma once

#include <span>

#include "tauhat/offline/log/log.hpp"
#include "tauhat/offline/study/study.hpp"

namespace tauhat {

struct Prepared {
  Timeline timeline;
  BacklashOptions options;
  std::vector<Diagnostic> diagnostics;  // of the log, and what was assumed of the noise
};

Prepared prepare(const Study& study, const Log& log);

// The log as a timeline for a model with these inputs and outputs; each sensor's noise from the study or the data.
Timeline timeline_of(const Study& study, const Log& log, const std::vector<std::string>& inputs,
                     const std::vector<std::string>& outputs, std::vector<Diagnostic>& diagnostics);
// With one input.
Timeline timeline_of(const Study& study, const Log& log, const std::string& input, std::span<const Signal> outputs,
                     std::vector<Diagnostic>& diagnostics);

// Standard deviation of white noise on a smooth signal, from its third differences (robust).
double noise_from_differences(const std::vector<double>& value);
// The same of a channel, and never better than its step allows; said in the diagnostics.
double estimated_noise(const Channel& channel, std::vector<Diagnostic>& diagnostics);

}  // namespace tauhat
