// What the numbers of a clock count, where the file does not say it.
#pragma once

#include <string>
#include <vector>

#include "tauhat/offline/init/survey.hpp"

namespace tauhat {

// A unit as a study says it, "100 ns"; where several make a usual rate of it, "TODO: " and the question.
std::string unit_of_clock(const SurveyedColumn& column, const std::vector<std::string>& preamble);

}  // namespace tauhat
