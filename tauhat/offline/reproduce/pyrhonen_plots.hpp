// What Pyrhonen's paper draws: the base parameters (Fig. 2a) and the force at the tool (Fig. 2b), of one seed.
#pragma once

#include <cstdint>

#include "tauhat/offline/report/report.hpp"

namespace tauhat::pyrhonen {

// Bars of the 52 base parameters, true, nominal and identified with their intervals; a plot each unit.
Section parameter_figure(std::uint64_t seed);
// Each axis of the force that is applied, and of the filter's with the identified arm, with its band.
Section force_figure(std::uint64_t seed);

}  // namespace tauhat::pyrhonen
