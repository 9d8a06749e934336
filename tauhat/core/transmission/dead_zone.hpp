// Backlash: no torque inside the gap, a spring on either flank.
//   tau(d) = k+ max(d - c - g/2, 0) + k- min(d - c + g/2, 0)        g is the TOTAL gap, c its middle
#pragma once

#include <array>
#include <string_view>

#include "tauhat/core/math/matrix.hpp"
#include "tauhat/core/parameter.hpp"
#include "tauhat/core/transmission/transmission_law.hpp"

namespace tauhat {

template <class T>
struct DeadZone {
  using Scalar = T;
  static constexpr std::string_view kName = "dead-zone";
  static constexpr int kInternal = 0;
  T stiffness_positive = T(100), stiffness_negative = T(100), gap = T(0), offset = T(0);

  template <class Z>
  T torque(const T& displacement, const T&, const Z&) const {
    const T beyond_upper = displacement - offset - gap * T(0.5);
    const T beyond_lower = displacement - offset + gap * T(0.5);
    if (beyond_upper > T(0)) return stiffness_positive * beyond_upper;
    if (beyond_lower < T(0)) return stiffness_negative * beyond_lower;
    return T(0);
  }

  template <class Z>
  Vector<T, 0> internal_derivative(const T&, const T&, const Z&) const {
    return {};
  }

  T steepest_stiffness() const {
    return stiffness_positive > stiffness_negative ? stiffness_positive : stiffness_negative;
  }
  std::array<T, 2> kinks() const { return {offset - gap * T(0.5), offset + gap * T(0.5)}; }

  template <class Self, class Visitor>
  static void visit_parameters(Self& self, Visitor&& visit) {
    visit(ParameterInfo{"transmission.stiffness", "positive", "N m/rad", Range::positive(), "of the upper flank"},
          self.stiffness_positive);
    visit(ParameterInfo{"transmission.stiffness", "negative", "N m/rad", Range::positive(), "of the lower flank"},
          self.stiffness_negative);
    visit(ParameterInfo{"backlash", "gap", "rad", Range::not_negative(), "total, at the load side"}, self.gap);
    visit(ParameterInfo{"backlash", "offset", "rad", Range::any(), "middle of the gap"}, self.offset);
  }
};

}  // namespace tauhat
