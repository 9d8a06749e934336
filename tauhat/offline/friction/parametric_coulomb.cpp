#include "tauhat/offline/friction/parametric_laws.hpp"
#include "tauhat/offline/friction/parametric_of.hpp"

namespace tauhat {

ParametricTracks run_with(const CoulombTanh<double>& law, const ParametricSpec& spec, const Timeline& timeline) {
  if (spec.law.kind == LawKind::tanh_viscous) return ParametricRun<CoulombTanh, 3>(spec, law, timeline).run();
  return ParametricRun<CoulombTanh, 2>(spec, law, timeline).run();
}

}  // namespace tauhat
