// The laws that come nearest to the friction of an axis, judged against each other by the filter that runs with each.
#pragma once

#include <limits>
#include <string>
#include <vector>

#include "tauhat/offline/friction/curve_fit.hpp"
#include "tauhat/offline/friction/excerpt.hpp"
#include "tauhat/offline/friction/identify_friction.hpp"

namespace tauhat {

// Where a law's smoother starts from.
struct Start {
  FittedLaw law;
  double offset = 0.0;
  Eigen::VectorXd moved_inputs{};  // what is known only so well; empty: none of it
};

// A candidate that is judged by the filter.
struct Rival {
  LawFit law;
  Start start;
  ParametricSpec spec{};
  double bic = std::numeric_limits<double>::infinity();
};

// Rivals are judged again by the filter that runs with each, which is exact where the regression is not: around
// reversals. The unexplained motion that suits each is found in an excerpt; then all are compared on a longer one, with
// each other's as well. They come first among the candidates, the likeliest before
// the others; they are returned in this order, one of a law.
std::vector<Rival> rank_by_likelihood(FrictionFit& fit, const FrictionCurve& blind, const Excerpt& excerpt,
                                      const Excerpt& judged, bool offset_unknown);

// The likeliest once more, from the numbers that their filters have come to.
std::vector<Rival> rank_again(std::vector<Rival> rivals, FrictionFit& fit, const Excerpt& excerpt,
                              const Excerpt& judged, bool offset_unknown);

// Below this size a share of it lies.
double usual_size(const Track& track, double share);

// The parametric smoother's numbers in the form of a fitted law.
FittedLaw law_from(const std::vector<LawParameter>& parameters, const FittedLaw& start);

}  // namespace tauhat
