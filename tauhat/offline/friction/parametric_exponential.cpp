#include "tauhat/offline/friction/parametric_laws.hpp"
#include "tauhat/offline/friction/parametric_of.hpp"

namespace tauhat {

ParametricTracks run_with(const Exponential<double>& law, const ParametricSpec& spec, const Timeline& timeline) {
  if (spec.law.kind == LawKind::exponential_viscous) return ParametricRun<Exponential, 4>(spec, law, timeline).run();
  return ParametricRun<Exponential, 3>(spec, law, timeline).run();
}

}  // namespace tauhat
