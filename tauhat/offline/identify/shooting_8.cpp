#include "tauhat/offline/identify/shooting_solver.hpp"
#include "tauhat/offline/identify/shooting_width.hpp"

namespace tauhat {

ShootingFit solve_with_8_directions(ShootingProblem& problem) { return ShootingSolver<8>(problem).solve(); }

}  // namespace tauhat
