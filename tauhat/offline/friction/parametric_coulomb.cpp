// The filter is made anew for every law, and takes long to compile; laws with filters of the same sizes stand together.
#include "tauhat/offline/friction/parametric_laws.hpp"
#include "tauhat/offline/friction/parametric_of.hpp"

namespace tauhat {

ParametricTracks run_with(const CoulombTanh<double>& law, const ParametricSpec& spec, const Timeline& timeline) {
  return run_hard_or_smooth<CoulombTanh, 2>(law, spec, timeline);
}

ParametricTracks run_with(const Stribeck<double>& law, const ParametricSpec& spec, const Timeline& timeline) {
  return run_hard_or_smooth<Stribeck, 4>(law, spec, timeline);
}

}  // namespace tauhat
