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
  T coulomb = T(0), viscous = T(0), width = T(0.01), breakaway = T(0), stribeck_velocity = T(0.1);

  template <class S>
  Stribeck<S> cast() const {
    return with_scalar<Stribeck<S>>(*this);
  }

  T torque(const T& velocity) const {
    using std::exp;
    using std::tanh;
    const T ratio = velocity / stribeck_velocity;
    const T level = coulomb + (breakaway - coulomb) * exp(T(-ratio * ratio));
    return level * tanh(T(velocity / width)) + viscous * velocity;
  }

  TorqueAndSlope<T> torque_and_slope(const T& velocity) const {
    using std::exp;
    using std::tanh;
    const T ratio = velocity / stribeck_velocity;
    const T bump = (breakaway - coulomb) * exp(T(-ratio * ratio));
    const T sign = tanh(T(velocity / width));
    const T slope = (coulomb + bump) / width * (T(1) - sign * sign) - T(2) * ratio / stribeck_velocity * bump * sign;
    return {(coulomb + bump) * sign + viscous * velocity, slope + viscous};
  }

  // The bump's own slope is at most sqrt(2 / e) = 0.86 of its height over its width.
  T steepest_slope() const {
    const T higher = breakaway > coulomb ? breakaway : coulomb, lower = breakaway > coulomb ? coulomb : breakaway;
    return higher / width + T(0.86) * (higher - lower) / stribeck_velocity + viscous;
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
