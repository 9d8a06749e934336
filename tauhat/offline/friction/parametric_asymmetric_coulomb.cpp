#include "tauhat/offline/friction/parametric_laws.hpp"
#include "tauhat/offline/friction/parametric_of.hpp"

namespace tauhat {

ParametricTracks run_with(const AsymmetricCoulomb<double>& law, const ParametricSpec& spec, const Timeline& timeline) {
  return ParametricRun<AsymmetricCoulomb, 4>(spec, law, timeline).run();
}

}  // namespace tauhat
