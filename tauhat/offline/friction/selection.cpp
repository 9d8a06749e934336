#include "tauhat/offline/friction/selection.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "tauhat/offline/drive/two_mass.hpp"
#include "tauhat/offline/friction/parametric.hpp"
#include "tauhat/offline/friction/typed_law.hpp"

namespace tauhat {

std::vector<LawFit> fit_all_laws(const Axis<double>& axis, const Timeline& timeline, const BlindSmoothing& blind,
                                 const LawFitOptions& options) {
  const AxisSamples samples = axis_samples(axis, timeline, blind.position.value);
  std::vector<LawFit> fits;
  for (const LawKind kind : kLawKinds) fits.push_back(fit_law(kind, axis, samples, blind.velocity.value, options));
  std::stable_sort(fits.begin(), fits.end(), [](const LawFit& a, const LawFit& b) {
    return a.separable != b.separable ? a.separable : a.bic < b.bic;
  });
  return fits;
}

std::vector<double> relative_drift(const FittedLaw& fit, double share) {
  std::vector<double> drift;
  for (const std::string& name : parameter_names(fit.kind)) {
    with_typed_law(fit, [&](const auto& law) {
      law.visit_parameters(
          law,
          [&](const ParameterInfo& info, const double& value) {
            if (full_name(info) == name) drift.push_back(share * std::abs(value));
          },
          "friction");
      return 0;
    });
  }
  return drift;
}

double usual_frequency(const BlindSmoothing& motion) {
  const auto& x = motion.position.value;
  const auto& v = motion.velocity.value;
  const double mean = std::accumulate(x.begin(), x.end(), 0.0) / static_cast<double>(x.size());
  double moved = 0.0, speed = 0.0;
  for (std::size_t k = 0; k < x.size(); ++k) moved += std::pow(x[k] - mean, 2), speed += v[k] * v[k];
  return moved > 0.0 ? std::sqrt(speed / moved) : 1.0;
}

}  // namespace tauhat
