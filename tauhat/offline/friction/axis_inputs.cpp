#include "tauhat/offline/friction/axis_inputs.hpp"

#include <cmath>

#include "tauhat/offline/parallel.hpp"

namespace tauhat {

Axis<double> with_deviation(Axis<double> axis, const UncertainParameter& parameter) {
  int index = 0;
  Axis<double>::visit_parameters(axis, [&](const ParameterInfo&, double& value) {
    if (index++ == parameter.index) value += parameter.std;
  });
  return axis;
}

Numbers input_deviations(const Numbers& numbers, const std::vector<UncertainParameter>& uncertain,
                         const std::function<Numbers(const UncertainParameter&)>& numbers_with) {
  std::vector<Numbers> moved(uncertain.size());
  for_each_in_parallel(uncertain.size(), [&](std::size_t i) { moved[i] = numbers_with(uncertain[i]); });
  Numbers deviations(numbers.size(), 0.0);
  for (const Numbers& each : moved) {
    for (std::size_t k = 0; k < numbers.size(); ++k) deviations[k] = std::hypot(deviations[k], each[k] - numbers[k]);
  }
  return deviations;
}

}  // namespace tauhat
