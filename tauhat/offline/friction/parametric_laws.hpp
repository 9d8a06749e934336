// run_parametric for each of the core's laws; those with filters of the same sizes stand in one file.
#pragma once

#include "tauhat/offline/friction/parametric.hpp"
#include "tauhat/offline/friction/typed_law.hpp"

namespace tauhat {

ParametricTracks run_with(const CoulombTanh<double>& law, const ParametricSpec& spec, const Timeline& timeline);
ParametricTracks run_with(const Exponential<double>& law, const ParametricSpec& spec, const Timeline& timeline);
ParametricTracks run_with(const Stribeck<double>& law, const ParametricSpec& spec, const Timeline& timeline);
ParametricTracks run_with(const Hyperbolic<double>& law, const ParametricSpec& spec, const Timeline& timeline);
ParametricTracks run_with(const AsymmetricCoulomb<double>& law, const ParametricSpec& spec, const Timeline& timeline);
ParametricTracks run_with(const AsymmetricExponential<double>& law, const ParametricSpec& spec,
                          const Timeline& timeline);
ParametricTracks run_with(const LuGre<double>& law, const ParametricSpec& spec, const Timeline& timeline);

}  // namespace tauhat
