// A spring that grows stiffer with twist, without gap: what a curved flank or a flexspline does, and the rival that
// must not be called backlash.
//   tau(d) = k x (1 + h x^2),   x = d - c
#pragma once

#include <array>
#include <string_view>

#include "tauhat/core/math/autodiff.hpp"
#include "tauhat/core/math/matrix.hpp"
#include "tauhat/core/parameter.hpp"
#include "tauhat/core/transmission/transmission_law.hpp"

namespace tauhat {

template <class T>
struct StiffeningSpring {
  using Scalar = T;
  static constexpr std::string_view kName = "stiffening-spring";
  static constexpr int kInternal = 0;
  T stiffness = T(100), hardening = T(0), offset = T(0);

  template <class Z>
  T torque(const T& displacement, const T&, const Z&) const {
    const T twist = displacement - offset;
    return stiffness * twist * (T(1) + hardening * twist * twist);
  }

  template <class Z>
  Vector<T, 0> internal_derivative(const T&, const T&, const Z&) const {
    return {};
  }

  // At one tenth of a radian, far beyond what a gear is twisted.
  T steepest_stiffness() const { return stiffness * (T(1) + constant<T>(0.03) * hardening); }
  std::array<T, 0> kinks() const { return {}; }

  template <class Self, class Visitor>
  static void visit_parameters(Self& self, Visitor&& visit) {
    visit(ParameterInfo{"transmission", "stiffness", "N m/rad", Range::positive(), "at zero torque"}, self.stiffness);
    visit(
        ParameterInfo{"transmission", "hardening", "1/rad^2", Range::not_negative(), "relative rise per twist squared"},
        self.hardening);
    visit(ParameterInfo{"backlash", "offset", "rad", Range::any(), "displacement without torque"}, self.offset);
  }
};

}  // namespace tauhat
