// The filter is made anew for every law, and takes long to compile; laws with filters of the same sizes stand together.
#include "tauhat/offline/friction/parametric_laws.hpp"
#include "tauhat/offline/friction/parametric_of.hpp"

namespace tauhat {

ParametricTracks run_with(const CoulombTanh<double>& law, const ParametricSpec& spec, const Timeline& timeline) {
  if (spec.law.kind == LawKind::tanh_viscous) return ParametricRun<CoulombTanh, 3>(spec, law, timeline).run();
  return ParametricRun<CoulombTanh, 2>(spec, law, timeline).run();
}

ParametricTracks run_with(const AsymmetricCoulomb<double>& law, const ParametricSpec& spec, const Timeline& timeline) {
  if (spec.law.kind == LawKind::smooth_asymmetric_coulomb) return run_with_widths(law, spec, timeline);
  return ParametricRun<AsymmetricCoulomb, 4>(spec, law, timeline).run();
}

ParametricTracks run_with(const Stribeck<double>& law, const ParametricSpec& spec, const Timeline& timeline) {
  return ParametricRun<Stribeck, 4>(spec, law, timeline).run();
}

ParametricTracks run_with_smooth_stribeck(const ParametricSpec& spec, const Timeline& timeline) {
  return with_typed_law(spec.law, [&](const auto& law) {
    if constexpr (std::is_same_v<decltype(law), const Stribeck<double>&>) {
      return ParametricRun<Stribeck, 5>(spec, law, timeline).run();
    } else {
      return ParametricTracks{};
    }
  });
}

}  // namespace tauhat
