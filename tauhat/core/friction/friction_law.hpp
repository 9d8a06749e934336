// A friction law: torque against motion as a function of velocity, with its slope. A law is a value inside a model.
#pragma once

#include <concepts>
#include <string_view>

#include "tauhat/core/parameter.hpp"

namespace tauhat {

template <class T>
struct TorqueAndSlope {
  T torque, slope;
};

template <class L>
concept FrictionLaw = requires(const L law, const typename L::Scalar velocity) {
  { law.torque(velocity) } -> std::convertible_to<typename L::Scalar>;
  { law.torque_and_slope(velocity) } -> std::convertible_to<TorqueAndSlope<typename L::Scalar>>;
  { law.steepest_slope() } -> std::convertible_to<typename L::Scalar>;  // bound, for the choice of sub-steps
  { L::kName };
};

// The three parameters that every smoothed sliding law has.
template <class Self, class Visitor>
void visit_sliding_parameters(Self& self, Visitor&& visit, std::string_view group) {
  visit(ParameterInfo{group, "coulomb", "N m", Range::not_negative(), "level at speed"}, self.coulomb);
  visit(ParameterInfo{group, "viscous", "N m s/rad", Range::not_negative(), "slope at speed"}, self.viscous);
  visit(ParameterInfo{group, "width", "rad/s", Range::positive(), "speed over which the sign is smoothed"}, self.width);
}

}  // namespace tauhat
