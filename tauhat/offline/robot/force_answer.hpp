// The force on a robot over a log, and what is to be said of it: `estimate` of a robot, without its files.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "tauhat/offline/robot/force_report.hpp"

namespace tauhat {

struct ForceAnswer {
  Study study;  // with what the log without contact tells, and the walk that was chosen
  Log log;      // as the estimator takes it
  ForceRun run;
  std::optional<FloorAnswer> floor;
  std::vector<Diagnostic> diagnostics;  // but those of force_report
  std::vector<Diagnostic> refusals;     // errors after which there is no force to give
};

// `without_contact` is the log of `--floor`, if there is one.
ForceAnswer answer_force(const Study& given, const Log& recorded, const std::optional<Log>& without_contact,
                         const std::function<void(double)>& progress = {});

}  // namespace tauhat
