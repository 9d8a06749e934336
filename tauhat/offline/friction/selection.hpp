// Which law describes the friction of a motion: every candidate fitted, the smallest BIC first.
#pragma once

#include <vector>

#include "tauhat/offline/friction/blind.hpp"
#include "tauhat/offline/friction/law_fit.hpp"

namespace tauhat {

// The motion that laws are fitted to.
SmoothMotion smooth_motion(const BlindSmoothing& blind, const Timeline& timeline);

// Best first, the others by BIC. Laws whose parameters the motion cannot tell apart come last.
std::vector<LawFit> fit_all_laws(const Axis<double>& axis, const Timeline& timeline, const BlindSmoothing& blind,
                                 const LawFitOptions& options);

// A drift of this share of each of the law's parameters, in the order of parameter_names().
std::vector<double> relative_drift(const FittedLaw& fit, double share);

// Slower than this the smoother cannot tell motion from rest.
double standstill_of(const BlindSmoothing& blind);

// Bandwidth of the observer for a fit, rad/s: so slow that the friction itself would show as three hundred deviations
// of the sensor's noise. Slower, small errors of the motion would outgrow everything; faster, friction would be
// hidden.
double observer_bandwidth(const Axis<double>& axis, const BlindSmoothing& motion, const Timeline::Sensor& sensor);

}  // namespace tauhat
