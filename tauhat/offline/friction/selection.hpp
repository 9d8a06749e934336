// Which law describes the friction of a motion: every candidate fitted, the smallest BIC first.
#pragma once

#include <vector>

#include "tauhat/offline/friction/blind.hpp"
#include "tauhat/offline/friction/law_fit.hpp"

namespace tauhat {

// Best first. Laws whose parameters the motion cannot tell apart come last.
std::vector<LawFit> fit_all_laws(const Axis<double>& axis, const Timeline& timeline, const BlindSmoothing& blind,
                                 const LawFitOptions& options);

// A drift of this share of each of the law's parameters, in the order of parameter_names().
std::vector<double> relative_drift(const FittedLaw& law, double share);

// The angular frequency at which an axis mostly moves: root mean square of its velocity over that of its position.
double usual_frequency(const BlindSmoothing& motion);

}  // namespace tauhat
