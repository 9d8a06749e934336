// The parameters of a fitted law, by name.
#pragma once

#include <algorithm>
#include <string>

#include "tauhat/offline/drive/two_mass.hpp"
#include "tauhat/offline/friction/typed_law.hpp"

namespace tauhat {

// Calls `visit(info, name, value)` for each parameter that the law is fitted by, of all that its type has.
template <class Visit>
void for_each_fitted(const FittedLaw& fit, Visit&& visit) {
  const auto names = parameter_names(fit.kind);
  with_typed_law(fit, [&](const auto& law) {
    law.visit_parameters(
        law,
        [&](const ParameterInfo& info, const double& value) {
          const std::string name = full_name(info);
          if (std::find(names.begin(), names.end(), name) != names.end()) visit(info, name, value);
        },
        "friction");
    return 0;
  });
}

}  // namespace tauhat
