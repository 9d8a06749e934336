#include "tauhat/offline/friction/rival_spec.hpp"

#include <cmath>

#include "tauhat/offline/friction/selection.hpp"

namespace tauhat {

ParametricSpec parametric_spec(const Start& start, const FrictionFit& fit, const Excerpt& excerpt,
                               bool offset_unknown) {
  ParametricSpec spec;
  spec.axis = start.moved_inputs.size() == 0 ? fit.axis : with_moved(fit.axis, fit.given.uncertain, start.moved_inputs);
  spec.axis.offset += start.offset;
  spec.law = start.law;
  spec.friction = usual_size(excerpt.blind.friction, 0.5), spec.fastest = usual_size(excerpt.blind.velocity, 0.99);
  if (has_own_offset(start.law.kind, offset_unknown)) spec.offset_std = usual_size(excerpt.blind.friction, 0.5);
  for (int i = 0; i < 2; ++i) {
    spec.start[i] = fit.blind_options.start[i];
    spec.start_variances[i] = fit.blind_options.variances[i];
  }
  if (excerpt.first > 0) {
    // In the middle of a record the motion is known, by samples that will be used again: it counts for little.
    constexpr double kWider = 100.0;
    const Track* const tracks[] = {&excerpt.blind.position, &excerpt.blind.velocity};
    for (int i = 0; i < 2; ++i) {
      spec.start[i] = tracks[i]->value.front();
      spec.start_variances[i] = kWider * std::pow(tracks[i]->std.front(), 2);
    }
  }
  spec.standstill = standstill_of(excerpt.blind);
  spec.start_iterations = 3;
  spec.smoothing_iterations = 2;
  return spec;
}

ParametricSpec on_terms(const Rival& rival, ParametricSpec spec) {
  spec.axis = rival.spec.axis, spec.slow = rival.spec.slow, spec.slow_noise = rival.spec.slow_noise;
  return spec;
}

double bic_of(double log_likelihood, const FittedLaw& law, bool offset_unknown, const Timeline& timeline) {
  return -2.0 * log_likelihood +
         fitted_parameters(law, offset_unknown) * std::log(static_cast<double>(timeline.size()));
}

}  // namespace tauhat
