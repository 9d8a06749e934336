// A transmission without gap.
//   tau(d) = k (d - c)
#pragma once

#include <array>
#include <string_view>

#include "tauhat/core/math/matrix.hpp"
#include "tauhat/core/parameter.hpp"
#include "tauhat/core/transmission/transmission_law.hpp"

namespace tauhat {

template <class T>
struct LinearSpring {
  using Scalar = T;
  static constexpr std::string_view kName = "linear-spring";
  static constexpr int kInternal = 0;
  T stiffness = T(100), offset = T(0);

  template <class Z>
  T torque(const T& displacement, const T&, const Z&) const {
    return stiffness * (displacement - offset);
  }

  template <class Z>
  Vector<T, 0> internal_derivative(const T&, const T&, const Z&) const {
    return {};
  }

  T steepest_stiffness() const { return stiffness; }
  std::array<T, 0> kinks() const { return {}; }

  template <class Self, class Visitor>
  static void visit_parameters(Self& self, Visitor&& visit) {
    visit(ParameterInfo{"transmission", "stiffness", "N m/rad", Range::positive(), "of the spring"}, self.stiffness);
    visit(ParameterInfo{"backlash", "offset", "rad", Range::any(), "displacement without torque"}, self.offset);
  }
};

}  // namespace tauhat
