// Coulomb and viscous friction, smoothed by a hyperbolic tangent.
//   tau_f(w) = coulomb * tanh(w / width) + viscous * w
#pragma once

#include <string_view>

#include "tauhat/core/friction/friction_law.hpp"
#include "tauhat/core/math/autodiff.hpp"
#include "tauhat/core/parameter.hpp"

namespace tauhat {

template <class T>
struct CoulombTanh {
  using Scalar = T;
  static constexpr std::string_view kName = "coulomb-tanh";
  static constexpr bool kOdd = true;
  T coulomb = T(0), viscous = T(0), width = constant<T>(0.01);

  template <class S>
  CoulombTanh<S> cast() const {
    return with_scalar<CoulombTanh<S>>(*this);
  }

  T torque(const T& velocity) const { return coulomb * smooth_sign(velocity, width).value + viscous * velocity; }

  TorqueAndSlope<T> torque_and_slope(const T& velocity) const {
    const SignAndSlope<T> sign = smooth_sign(velocity, width);
    return {coulomb * sign.value + viscous * velocity, coulomb * sign.slope + viscous};
  }

  T steepest_slope() const { return coulomb / width + viscous; }

  template <class Self, class Visitor>
  static void visit_parameters(Self& self, Visitor&& visit, std::string_view group = "friction") {
    visit_sliding_parameters(self, visit, group);
  }
};

}  // namespace tauhat
