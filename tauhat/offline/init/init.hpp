// A study for a log that nobody has described: what could be found out is filled in, what could not is a TODO with the
// question.
#pragma once

#include <string>

namespace tauhat {

enum class StudyKind { two_mass, axis, hysteresis_curve };

std::string study_for(const std::string& log, StudyKind kind);

}  // namespace tauhat
