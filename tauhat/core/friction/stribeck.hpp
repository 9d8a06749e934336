// Coulomb and viscous friction with a Stribeck bump: breaking away takes more than sliding.
//   tau_f(w) = (coulomb + (breakaway - coulomb) exp(-(w / stribeck_velocity)^2)) tanh(w / width) + viscous * w
#pragma once

#include <cmath>
#include <string_view>

#include "tauhat/core/friction/friction_law.hpp"
#include "tauhat/core/math/autodiff.hpp"
#include "tauhat/core/parameter.hpp"

namespace tauhat {

template <class T>
struct Stribeck {
  using Scalar = T;
  static constexpr std::string_view kName = "stribeck";
  static constexpr bool kOdd = true;
  T coulomb = T(0), viscous = T(0), width = constant<T>(0.01), breakaway = T(0), stribeck_velocity = constant<T>(0.1);

  template <class S>
  Stribeck<S> cast() const {
    return with_scalar<Stribeck<S>>(*this);
  }

  T torque(const T& velocity) const {
    using std::exp;
    const T ratio = velocity / stribeck_velocity;
    const T level = coulomb + (breakaway - coulomb) * exp(T(-ratio * ratio));
    return level * smooth_sign(velocity, width).value + viscous * velocity;
  }

  TorqueAndSlope<T> torque_and_slope(const T& velocity) const {
    using std::exp;
    const T ratio = velocity / stribeck_velocity;
    const T bump = (breakaway - coulomb) * exp(T(-ratio * ratio));
    const SignAndSlope<T> sign = smooth_sign(velocity, width);
    const T slope = (coulomb + bump) * sign.slope - T(2) * ratio / stribeck_velocity * bump * sign.value;
    return {(coulomb + bump) * sign.value + viscous * velocity, slope + viscous};
  }

  // With |tanh(w / width)| <= |w| / width and r = w / stribeck_velocity, the slope is at most
  // (coulomb + (breakaway - coulomb) (1 - 2 r^2) exp(-r^2)) / width, and (2 r^2 - 1) exp(-r^2) <= 2 exp(-3/2) = 0.4463.
  T steepest_slope() const {
    const T level = breakaway > coulomb ? breakaway : coulomb + constant<T>(0.4463) * (coulomb - breakaway);
    return level / width + viscous;
  }

  template <class Self, class Visitor>
  static void visit_parameters(Self& self, Visitor&& visit, std::string_view group = "friction") {
    visit_sliding_parameters(self, visit, group);
    visit(ParameterInfo{group, "breakaway", "N m", Range::not_negative(), "level at standstill"}, self.breakaway);
    visit(ParameterInfo{group, "stribeck_velocity", "rad/s", Range::positive(), "width of the bump"},
          self.stribeck_velocity);
  }
};

}  // namespace tauhat
