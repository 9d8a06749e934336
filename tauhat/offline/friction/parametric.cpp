#include "tauhat/offline/friction/parametric.hpp"

#include "tauhat/offline/friction/parametric_laws.hpp"

namespace tauhat {

ParametricTracks run_parametric(const ParametricSpec& spec, const Timeline& timeline) {
  return with_typed_law(spec.law, [&](const auto& law) { return run_with(law, spec, timeline); });
}

}  // namespace tauhat
