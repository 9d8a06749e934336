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

// How far each uncertain parameter moves the numbers: one row a parameter.
class InputShifts {
 public:
  // By as many deviations as are given, whatever they are of.
  InputShifts(const Numbers& numbers, std::size_t count, const std::function<Numbers(std::size_t)>& numbers_with);

  // Of one number by all of them; zero where there are none.
  double deviation(std::size_t number) const;
  // Of two numbers: what moves both makes them alike.
  double covariance(std::size_t a, std::size_t b) const;

 private:
  std::vector<Numbers> shifts_;
};

}  // namespace tauhat
