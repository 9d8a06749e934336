#include "tauhat/offline/friction/parametric_laws.hpp"
#include "tauhat/offline/friction/parametric_of.hpp"

namespace tauhat {

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
