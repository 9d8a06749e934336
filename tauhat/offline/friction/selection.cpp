#include "tauhat/offline/friction/selection.hpp"

#include <algorithm>
#include <cmath>

#include "tauhat/offline/drive/two_mass.hpp"
#include "tauhat/offline/friction/parametric.hpp"
#include "tauhat/offline/friction/typed_law.hpp"
#include "tauhat/offline/parallel.hpp"
#include "tauhat/offline/quantile.hpp"

namespace tauhat {

SmoothMotion smooth_motion(const BlindSmoothing& blind, const Timeline& timeline) {
  double variance = 0.0;
  for (const auto& sensor : timeline.sensors) {
    if (sensor.output == Axis<double>::position_output) variance = sensor.variance;
  }
  return {blind.position.value, blind.velocity.value, standstill_of(blind), std::sqrt(variance)};
}

std::vector<LawFit> fit_all_laws(const Axis<double>& axis, const Timeline& timeline, const BlindSmoothing& blind,
                                 const LawFitOptions& options) {
  const AxisSamples samples = axis_samples(axis, timeline, smooth_motion(blind, timeline));
  std::vector<LawFit> fits(kLawKinds.size());
  for_each_in_parallel(fits.size(), [&](std::size_t i) {
    fits[i] = fit_law(kLawKinds[i], axis, samples, blind.velocity.value, options);
  });
  std::stable_sort(fits.begin(), fits.end(), [](const LawFit& a, const LawFit& b) {
    return a.separable != b.separable ? a.separable : a.bic < b.bic;
  });
  // Less is not decisive: of laws that near to the best the one with the fewest parameters is taken.
  auto chosen = fits.begin();
  for (auto each = fits.begin(); each != fits.end() && each->separable && each->bic < fits[0].bic + kDecisive; ++each) {
    if (each->law.parameters() < chosen->law.parameters()) chosen = each;
  }
  std::rotate(fits.begin(), chosen, chosen + 1);
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

double standstill_of(const BlindSmoothing& blind) { return 3.0 * median(blind.velocity.std); }

double observer_bandwidth(const Axis<double>& axis, const BlindSmoothing& motion, const Timeline::Sensor& sensor) {
  constexpr double kVisible = 300.0;
  std::vector<double> sizes;
  for (const double f : motion.friction.value) sizes.push_back(std::abs(f));
  // A constant force F moves the observer's position by F / (M w^2), and where it follows the velocity that by F / (M
  // w).
  const double square = median(std::move(sizes)) / (axis.mass * kVisible * std::sqrt(sensor.variance));
  return sensor.output == Axis<double>::velocity_output ? square : std::sqrt(square);
}

}  // namespace tauhat
