// The observers of the thesis, and those that go past it.
#pragma once

#include <string>

#include "tauhat/offline/joint/joint_spec.hpp"

namespace tauhat::zampolini {

// Of the thesis, by the names of its tables: L4, L5, L6 by poles ("L6lo" and "L6hi"), K5, K6 ("K6lo" and "K6hi", its
// equations 4.4 and 5.2), K7 by covariances.
ObserverSpec thesis_observer(const std::string& name);
inline const char* const kThesisObservers[] = {"L4", "L5", "L6lo", "L6hi", "K5", "K6lo", "K6hi", "K7"};

// Six states and a leaking disturbance at the motor; and the extended filter with the bristle inside.
ObserverSpec disturbance_filter();
ObserverSpec bristle_filter();

// LuGre friction as the bristle's filter assumes it.
MeshLuGre<double> assumed_friction(double coulomb, double breakaway_over_coulomb, double stribeck_velocity,
                                   double bristle_stiffness);

}  // namespace tauhat::zampolini
