// A robot's parameters and friction from logs of its motion, as a report.
#pragma once

#include <optional>
#include <vector>

#include "tauhat/offline/log/log.hpp"
#include "tauhat/offline/report/report.hpp"
#include "tauhat/offline/study/study.hpp"

namespace tauhat {

struct RobotLogs {
  std::vector<Log> motion;          // that the fit is made to
  std::optional<Log> validation;    // of another motion
  std::optional<Log> with_payload;  // the same robot, which carries something
};

struct RobotAnswer {
  Report report;
  // The study's robot with parameters of bodies that can exist; empty where they were not found.
  std::optional<RobotSpec> identified;
};

// Base parameters with their groupings and intervals, what is not determined, each joint's residual, and the residual
// on what the fit has not seen: another log, or the part of each log that the study holds back.
RobotAnswer answer_robot(const Study& study, RobotLogs logs);

// Whether the log can be used: clocks, signs and gear ratios by joint, and the condition of its motion.
Report check_robot(const Study& study, const Log& log);

// The robot as the study has it: joints, frames, mass, base parameters.
Report describe_robot(const Study& study);
// Each body whose inertia is missing or impossible.
void note_inertias(const RobotSpec& robot, std::vector<Diagnostic>& diagnostics);

}  // namespace tauhat
