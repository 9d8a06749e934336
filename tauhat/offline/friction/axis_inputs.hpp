// What the numbers found of an axis owe to parameters that the study knows only so well ({ value, std }): a method
// takes their values for true, so its own deviations do not hold them.
//   variance = sum_i (number with p_i + std_i  -  number)^2
#pragma once

#include <functional>
#include <vector>

#include "tauhat/core/models/axis.hpp"
#include "tauhat/offline/drive/two_mass.hpp"

namespace tauhat {

// The axis with one of its parameters off by its deviation; `index` counts as Axis::visit_parameters does.
Axis<double> with_deviation(Axis<double> axis, const UncertainParameter& parameter);

using Numbers = std::vector<double>;

// Deviation of each number by all uncertain parameters; zeros where there are none.
Numbers input_deviations(const Numbers& numbers, const std::vector<UncertainParameter>& uncertain,
                         const std::function<Numbers(const UncertainParameter&)>& numbers_with);

}  // namespace tauhat
