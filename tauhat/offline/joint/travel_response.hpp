// The response of a joint's motor to its torque while the axis travels: without what its turns bend, and of each
// direction by itself where the record has enough of both.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "tauhat/offline/joint/joint_spec.hpp"
#include "tauhat/offline/joint/modal_fit.hpp"
#include "tauhat/offline/replay/timeline.hpp"

namespace tauhat {

inline constexpr std::size_t kLeastLines = 20;
inline constexpr double kShortestRecord = 6.0;                   // s
inline constexpr double kLowestLine = 2.0, kHighestLine = 60.0;  // Hz: no joint of a robot swings faster
inline double highest_line(double period) { return std::min(kHighestLine, 0.4 / period); }

inline double duration_of(const Timeline& timeline) { return timeline.time.back() - timeline.time.front(); }

// The samples at which the motor turns back.
std::vector<std::size_t> turns_of(const Timeline& timeline);

// Beforehand. A gear that the study says nothing of loses up to a tenth of what it passes on; friction that it does not
// know at all may be none.
TeethFriction teeth_of(const JointSpec& spec);

// Of each direction of travel by itself, where the record has enough of both: the teeth's friction turns over between
// them. Else of the whole. Empty where nothing is told.
std::vector<TravelResponse> responses_of(const JointSpec& spec, const Timeline& timeline,
                                         const std::vector<std::size_t>& turns);

}  // namespace tauhat
