// The dynamics of Pyrhonen's arm beside other ways to compute them, on the set-up's random states: the regressor,
// MuJoCo, and automatic differentiation.
#pragma once

#include "tauhat/offline/reproduce/plan.hpp"

namespace tauhat::pyrhonen {

// dynamics.difference.regressor, .mujoco (where the program was built with it), dynamics.jacobian_error
RunFigures dynamics_figures(std::uint64_t seed);

}  // namespace tauhat::pyrhonen
