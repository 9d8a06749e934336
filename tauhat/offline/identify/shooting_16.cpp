#include "tauhat/offline/identify/shooting_solver.hpp"
#include "tauhat/offline/identify/shooting_width.hpp"

namespace tauhat {

ShootingFit solve_with_16_directions(ShootingProblem& problem) { return ShootingSolver<16>(problem).solve(); }

}  // namespace tauhat
