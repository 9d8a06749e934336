// The solver for each number of derivative directions, compiled apart: they are the slowest files of the project.
#pragma once

#include "tauhat/offline/identify/shooting.hpp"

namespace tauhat {

ShootingFit solve_with_8_directions(ShootingProblem& problem);
ShootingFit solve_with_16_directions(ShootingProblem& problem);

}  // namespace tauhat
