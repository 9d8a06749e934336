// What the parts of a joint's report have in common.
#pragma once

#include <limits>
#include <string>

#include "tauhat/offline/replay/timeline.hpp"
#include "tauhat/offline/report/report.hpp"
#include "tauhat/offline/report/uncertainty.hpp"

namespace tauhat {

// Null where the log has none.
const Timeline::Sensor* find_sensor(const Timeline& timeline, const char* signal);

inline constexpr double kAnything = -std::numeric_limits<double>::infinity();  // a number that may be negative

void add_result(const std::string& name, double value, const std::string& unit, const UncertaintyBudget& budget,
                double lowest, const std::string& note, Report& report);

}  // namespace tauhat
