#include "tauhat/offline/friction/parametric.hpp"

#include "tauhat/offline/friction/parametric_laws.hpp"

namespace tauhat {

std::vector<std::string> parameter_names(LawKind kind) {
  switch (kind) {
    case LawKind::exponential:
    case LawKind::hyperbolic:
      return {"friction.coulomb", "friction.excess", "friction.decay"};
    case LawKind::exponential_viscous:
      return {"friction.coulomb", "friction.excess", "friction.decay", "friction.viscous"};
    case LawKind::gaussian_viscous:
      return {"friction.coulomb", "friction.breakaway", "friction.stribeck_velocity", "friction.viscous"};
    case LawKind::smooth_gaussian_viscous:
      return {"friction.coulomb", "friction.breakaway", "friction.stribeck_velocity", "friction.viscous",
              "friction.width"};
    case LawKind::tanh_viscous:
      return {"friction.coulomb", "friction.viscous", "friction.width"};
    case LawKind::asymmetric_coulomb:
      return {"friction.positive.coulomb", "friction.positive.viscous", "friction.negative.coulomb",
              "friction.negative.viscous"};
    case LawKind::smooth_asymmetric_coulomb:
      return {"friction.positive.coulomb", "friction.positive.viscous", "friction.positive.width",
              "friction.negative.coulomb", "friction.negative.viscous", "friction.negative.width"};
    case LawKind::asymmetric_exponential:
      return {"friction.positive.coulomb", "friction.positive.excess", "friction.positive.decay",
              "friction.negative.coulomb", "friction.negative.excess", "friction.negative.decay"};
    case LawKind::lugre:
      return {"friction.bristle_stiffness", "friction.coulomb", "friction.breakaway", "friction.stribeck_velocity"};
    case LawKind::coulomb_viscous:
      break;
  }
  return {"friction.coulomb", "friction.viscous"};
}

ParametricTracks run_parametric(const ParametricSpec& spec, const Timeline& timeline) {
  if (spec.law.kind == LawKind::smooth_gaussian_viscous) return run_with_smooth_stribeck(spec, timeline);
  return with_typed_law(spec.law, [&](const auto& law) { return run_with(law, spec, timeline); });
}

}  // namespace tauhat
