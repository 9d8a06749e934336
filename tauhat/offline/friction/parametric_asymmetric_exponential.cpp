#include "tauhat/offline/friction/parametric_laws.hpp"
#include "tauhat/offline/friction/parametric_of.hpp"

namespace tauhat {

ParametricTracks run_with(const AsymmetricExponential<double>& law, const ParametricSpec& spec,
                          const Timeline& timeline) {
  return ParametricRun<AsymmetricExponential, 6>(spec, law, timeline).run();
}

}  // namespace tauhat
