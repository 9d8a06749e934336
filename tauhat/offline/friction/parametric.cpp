#include "tauhat/offline/friction/parametric.hpp"

#include <algorithm>
#include <cmath>

#include "tauhat/offline/friction/parametric_laws.hpp"

namespace tauhat {

double usual_value(const ParametricSpec& spec, const std::string& name) {
  if (name.ends_with("viscous")) return spec.fastest > 0.0 ? spec.friction / spec.fastest : 0.0;
  const bool is_level = name.ends_with("coulomb") || name.ends_with("excess") || name.ends_with("breakaway");
  return is_level ? spec.friction : 0.0;
}

double deviation_before(const ParametricSpec& spec, const std::string& name, double start) {
  return kPriorShare * std::max(std::abs(start), usual_value(spec, name));
}

ParametricTracks run_parametric(const ParametricSpec& spec, const Timeline& timeline) {
  return with_typed_law(spec.law, [&](const auto& law) { return run_with(law, spec, timeline); });
}

}  // namespace tauhat
