// Holes of a powertrain's record: stretches without any row, in which teeth should have passed.
#pragma once

#include <vector>

#include "tauhat/offline/gap/gap_estimator.hpp"
#include "tauhat/offline/replay/timeline.hpp"
#include "tauhat/offline/report/diagnostic.hpp"

namespace tauhat {

// Rows come with every tooth. Where many of both wheels should have passed and none came, the record has a hole; and
// once the motor's torque may have become another one there, a prediction knows nothing. Speeds before it in rad/s.
bool is_hole(const GapSpec& spec, double motor_speed, double load_speed, double interval) noexcept;

// The longest part between them, and what is said of it; the whole where there is no hole. Counters without direction
// do not belong together on both sides of a hole.
Timeline longest_between_holes(Timeline timeline, const GapSpec& spec, std::vector<Diagnostic>& diagnostics);

}  // namespace tauhat
