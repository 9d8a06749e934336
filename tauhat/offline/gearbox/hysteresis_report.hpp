// From a study with [test] and its logs to the report of a hysteresis-curve test.
#pragma once

#include <string>
#include <vector>

#include "tauhat/offline/report/report.hpp"
#include "tauhat/offline/study/study.hpp"

namespace tauhat {

Report answer_hysteresis(const Study& study, const std::vector<std::string>& paths);

// The test with what the study says of its scales.
HysteresisTest hysteresis_test_of(const Study& study);

// Torque and displacement at the output from whichever side they were measured on.
HysteresisRecord hysteresis_record(const Study& study, const Log& log);

std::vector<Section> hysteresis_sections(const std::vector<HysteresisRecord>& records, const HysteresisOutcome& outcome,
                                         const HysteresisSpec& spec);

}  // namespace tauhat
