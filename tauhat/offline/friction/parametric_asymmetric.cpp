// The filter is made anew for every law, and takes long to compile; laws with filters of the same sizes stand together.
#include "tauhat/offline/friction/parametric_laws.hpp"
#include "tauhat/offline/friction/parametric_of.hpp"

namespace tauhat {

ParametricTracks run_with(const AsymmetricCoulomb<double>& law, const ParametricSpec& spec, const Timeline& timeline) {
  // Each direction has its own width.
  return run_hard_or_smooth<AsymmetricCoulomb, 4, 2>(law, spec, timeline);
}

ParametricTracks run_with(const AsymmetricExponential<double>& law, const ParametricSpec& spec,
                          const Timeline& timeline) {
  return ParametricRun<AsymmetricExponential, 6>(spec, law, timeline).run();
}

ParametricTracks run_with(const LuGre<double>& law, const ParametricSpec& spec, const Timeline& timeline) {
  return ParametricRun<LuGre, 4>(spec, law, timeline).run();
}

}  // namespace tauhat
