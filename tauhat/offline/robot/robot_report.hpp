// A robot's parameters and friction from a log of its motion, as a report.
#pragma once

#include "tauhat/offline/log/log.hpp"
#include "tauhat/offline/report/report.hpp"
#include "tauhat/offline/study/study.hpp"

namespace tauhat {

// Base parameters with their groupings and intervals, what is not determined, each joint's residual, and, where the
// study holds a part of the log back, the residual there of a fit to the rest.
Report answer_robot(const Study& study, const Log& log);

// Whether the log can be used: clocks, signs and gear ratios by joint, and the condition of its motion.
Report check_robot(const Study& study, const Log& log);

// The robot as the study has it: joints, frames, mass, base parameters.
Report describe_robot(const Study& study);

}  // namespace tauhat
