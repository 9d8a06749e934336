// The neighbour axis moves, and the mass matrix with it: an observer whose matrices follow the pose, beside one that is
// frozen where the motion starts.
#pragma once

#include "tauhat/offline/reproduce/plan.hpp"

namespace tauhat::zampolini {

RunFigures pose_figures(std::uint64_t seed);

}  // namespace tauhat::zampolini
