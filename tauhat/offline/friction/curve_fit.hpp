// One candidate law through the friction that the blind smoother saw while the axis clearly moved: less exact than
// fit_law, which knows the motion, but nothing that happens around standstill reaches it.
#pragma once

#include <vector>

#include "tauhat/offline/friction/blind.hpp"
#include "tauhat/offline/friction/law_fit.hpp"

namespace tauhat {

struct FrictionCurve {
  std::vector<double> velocity, friction;
};

// The points faster than `slowest`, thinned to some thousands.
FrictionCurve moving_curve(const BlindSmoothing& blind, double slowest);

// Mean square of the points' distance from the law in steady motion.
double off_curve(const FittedLaw& law, double offset, const FrictionCurve& curve);

// A law without a memory, by least squares.
LawFit fit_curve(LawKind kind, const FrictionCurve& curve, bool offset_unknown);

// Those of all laws that could be friction, the best first.
std::vector<LawFit> fit_all_curves(const FrictionCurve& curve, bool offset_unknown);

}  // namespace tauhat
