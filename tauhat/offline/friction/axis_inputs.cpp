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

InputShifts::InputShifts(const Numbers& numbers, std::size_t count,
                         const std::function<Numbers(std::size_t)>& numbers_with)
    : shifts_(count) {
  for_each_in_parallel(count, [&](std::size_t i) { shifts_[i] = numbers_with(i); });
  for (Numbers& each : shifts_) {
    for (std::size_t k = 0; k < numbers.size(); ++k) each[k] -= numbers[k];
  }
}

double InputShifts::covariance(std::size_t a, std::size_t b) const {
  double sum = 0.0;
  for (const Numbers& each : shifts_) sum += each[a] * each[b];
  return sum;
}

double InputShifts::deviation(std::size_t number) const { return std::sqrt(covariance(number, number)); }

}  // namespace tauhat
