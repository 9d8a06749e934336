// How many unknowns the shooting fit has room for: each is a direction of its derivatives.
#pragma once

#include <cstddef>

namespace tauhat {

struct Study;

constexpr std::size_t kMostDirections = 16;

// Of each segment: displacement and both velocities at its start, and the motor's position where that matters.
constexpr std::size_t local_directions(bool position_is_local) { return position_is_local ? 4 : 3; }

// Throws where the study's unknown and uncertain values are more than the fit has room for beside the gap, a stiffness
// of each flank, and the offset where both positions are measured; says which are best taken as exact.
void refuse_more_than_fits(const Study& study);

}  // namespace tauhat
