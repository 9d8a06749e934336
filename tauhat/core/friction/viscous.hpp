// Viscous friction alone: a lubricant's, or what remains when the solid part is an unknown of its own.
//   tau_f(w) = viscous * w
#pragma once

#include <string_view>

#include "tauhat/core/friction/friction_law.hpp"
#include "tauhat/core/parameter.hpp"

namespace tauhat {

template <class T>
struct Viscous {
  using Scalar = T;
  static constexpr std::string_view kName = "viscous";
  static constexpr bool kOdd = true;
  T viscous = T(0);

  template <class S>
  Viscous<S> cast() const {
    return with_scalar<Viscous<S>>(*this);
  }

  T torque(const T& velocity) const { return viscous * velocity; }
  TorqueAndSlope<T> torque_and_slope(const T& velocity) const { return {torque(velocity), viscous}; }
  T steepest_slope() const { return viscous; }

  template <class Self, class Visitor>
  static void visit_parameters(Self& self, Visitor&& visit, std::string_view group = "friction") {
    visit(ParameterInfo{group, "viscous", "N m s/rad", Range::not_negative(), "torque per velocity"}, self.viscous);
  }
};

}  // namespace tauhat
