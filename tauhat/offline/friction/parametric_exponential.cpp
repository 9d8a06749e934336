// The filter is made anew for every law, and takes long to compile; laws with filters of the same sizes stand together.
#include "tauhat/offline/friction/parametric_laws.hpp"
#include "tauhat/offline/friction/parametric_of.hpp"

namespace tauhat {

ParametricTracks run_with(const Exponential<double>& law, const ParametricSpec& spec, const Timeline& timeline) {
  if (spec.law.kind == LawKind::exponential_viscous) return ParametricRun<Exponential, 4>(spec, law, timeline).run();
  return ParametricRun<Exponential, 3>(spec, law, timeline).run();
}

ParametricTracks run_with(const AsymmetricExponential<double>& law, const ParametricSpec& spec,
                          const Timeline& timeline) {
  return ParametricRun<AsymmetricExponential, 6>(spec, law, timeline).run();
}

ParametricTracks run_with_widths(const AsymmetricCoulomb<double>& law, const ParametricSpec& spec,
                                 const Timeline& timeline) {
  return ParametricRun<AsymmetricCoulomb, 6>(spec, law, timeline).run();
}

ParametricTracks run_with(const Hyperbolic<double>& law, const ParametricSpec& spec, const Timeline& timeline) {
  return ParametricRun<Hyperbolic, 3>(spec, law, timeline).run();
}

ParametricTracks run_with(const LuGre<double>& law, const ParametricSpec& spec, const Timeline& timeline) {
  return ParametricRun<LuGre, 4>(spec, law, timeline).run();
}

}  // namespace tauhat
