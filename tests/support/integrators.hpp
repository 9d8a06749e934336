// Both integrators of a simulation, for what must hold by either.
#pragma once

#include "support/named.hpp"
#include "tauhat/offline/simulate/simulate.hpp"

namespace tauhat {

inline void PrintTo(Integrator integrator, std::ostream* out) {
  *out << (integrator == Integrator::cvode ? "cvode" : "runge_kutta");
}

inline const auto kBothIntegrators = testing::Values(Integrator::cvode, Integrator::runge_kutta);

}  // namespace tauhat
