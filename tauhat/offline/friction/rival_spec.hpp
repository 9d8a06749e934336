// What the filter of a rival law is told before it runs, and how its runs are compared.
#pragma once

#include "tauhat/offline/friction/rivals.hpp"

namespace tauhat {

ParametricSpec parametric_spec(const Start& start, const FrictionFit& fit, const Excerpt& excerpt, bool offset_unknown);

// With the axis and the unexplained motion that suit the rival.
ParametricSpec on_terms(const Rival& rival, ParametricSpec spec);

//   BIC = -2 ln L + parameters ln n
double bic_of(double log_likelihood, const FittedLaw& law, bool offset_unknown, const Timeline& timeline);

}  // namespace tauhat
