// The filter is made anew for every law, and takes long to compile; laws with filters of the same sizes stand together.
#include "tauhat/offline/friction/parametric_laws.hpp"
#include "tauhat/offline/friction/parametric_of.hpp"

namespace tauhat {

ParametricTracks run_with(const Exponential<double>& law, const ParametricSpec& spec, const Timeline& timeline) {
  if (hard_form(spec.law.kind) == LawKind::exponential_viscous)
    return run_hard_or_smooth<Exponential, 4>(law, spec, timeline);
  return run_hard_or_smooth<Exponential, 3>(law, spec, timeline);
}

ParametricTracks run_with(const Hyperbolic<double>& law, const ParametricSpec& spec, const Timeline& timeline) {
  return run_hard_or_smooth<Hyperbolic, 3>(law, spec, timeline);
}

}  // namespace tauhat
