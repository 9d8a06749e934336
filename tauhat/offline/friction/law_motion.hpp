// The motion of an axis by its law alone: nothing corrects it but the force that was applied. A hard sign sticks and
// slips, its reversals and breakaways are located within their samples; a smooth one creeps.
//   M v' = u - k x - d v - g_s sin(x) - g_c cos(x) - F_0 - F(v)
#pragma once

#include <vector>

#include "tauhat/core/models/axis.hpp"
#include "tauhat/offline/friction/candidate.hpp"
#include "tauhat/offline/replay/timeline.hpp"

namespace tauhat {

struct LawMotion {
  std::vector<double> position, velocity;  // at the first instants of a timeline; fewer where the run was lost
};

// Bristles bend too fast to be followed so.
inline bool can_move_by(LawKind kind) { return kind != LawKind::lugre; }

// Through the first `samples` instants, from position and velocity at the first.
LawMotion move_by_law(const Axis<double>& axis, const FittedLaw& law, const Vector<double, 2>& start,
                      const Timeline& timeline, std::size_t samples);

}  // namespace tauhat
