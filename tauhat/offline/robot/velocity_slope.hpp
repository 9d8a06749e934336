// Whether a joint's measured velocity is the slope of its position: neither model nor torque is asked.
#pragma once

#include <optional>

#include "tauhat/offline/robot/motion_rows.hpp"

namespace tauhat {

// How many times the slope it is, by what both say of the way over stretches of 50 ms. Empty where there is no
// velocity, and where the two do not go together, as of a joint that rests.
std::optional<double> velocity_over_slope(const RobotRecord& record, std::size_t joint);

// Beside what clocks and filters do to either.
inline bool is_slope(double times) noexcept { return times > 0.8 && times < 1.25; }

}  // namespace tauhat
