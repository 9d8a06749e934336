// A fitted law as the core's law, with its sign hard where the fit has no width.
#pragma once

#include "tauhat/core/friction/asymmetric.hpp"
#include "tauhat/core/friction/coulomb_tanh.hpp"
#include "tauhat/core/friction/exponential.hpp"
#include "tauhat/core/friction/hyperbolic.hpp"
#include "tauhat/core/friction/lugre.hpp"
#include "tauhat/core/friction/stribeck.hpp"
#include "tauhat/offline/friction/candidate.hpp"

namespace tauhat {

template <class Use>
auto with_typed_law(const FittedLaw& fit, Use&& use) {
  const std::vector<double>& c = fit.coefficients;
  const double width = has_width(fit.kind) ? fit.shape.width : 0.0;
  switch (hard_form(fit.kind)) {
    case LawKind::exponential:
      return use(Exponential<double>{.coulomb = c[0], .excess = c[1], .decay = fit.shape.fall, .width = width});
    case LawKind::exponential_viscous:
      return use(Exponential<double>{
          .coulomb = c[0], .excess = c[1], .decay = fit.shape.fall, .viscous = c[2], .width = width});
    case LawKind::gaussian_viscous:
      return use(Stribeck<double>{.coulomb = c[0],
                                  .viscous = c[2],
                                  .width = width,
                                  .breakaway = c[0] + c[1],
                                  .stribeck_velocity = 1.0 / fit.shape.fall});
    case LawKind::hyperbolic:
      return use(Hyperbolic<double>{.coulomb = c[0], .excess = c[1], .decay = fit.shape.fall, .width = width});
    case LawKind::asymmetric_coulomb: {
      // Regression gives both directions one width; the smoother each its own.
      const bool apart = c.size() == 6;
      return use(AsymmetricCoulomb<double>{{.coulomb = c[0], .viscous = c[1], .width = apart ? c[4] : width},
                                           {.coulomb = c[2], .viscous = c[3], .width = apart ? c[5] : width}});
    }
    case LawKind::asymmetric_exponential: {
      // One fall, or two, in the same way.
      const bool apart = c.size() == 6;
      return use(
          AsymmetricExponential<double>{{.coulomb = c[0], .excess = c[1], .decay = apart ? c[4] : fit.shape.fall},
                                        {.coulomb = c[2], .excess = c[3], .decay = apart ? c[5] : fit.shape.fall}});
    }
    case LawKind::lugre:
      return use(LuGre<double>{.bristle_stiffness = c[0],
                               .bristle_damping = 0.0,
                               .viscous = 0.0,
                               .coulomb = c[1],
                               .breakaway = c[2],
                               .stribeck_velocity = c[3]});
    default:
      return use(CoulombTanh<double>{.coulomb = c[0], .viscous = c[1], .width = width});
  }
}

}  // namespace tauhat
