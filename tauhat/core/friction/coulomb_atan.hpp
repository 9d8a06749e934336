// Coulomb and viscous friction, smoothed by an arctangent (Hovland et al. 2002, eq. 1, with 2/pi for the printed pi/2).
//   tau_f(w) = coulomb * (2/pi) atan(w / width) + viscous * w
#pragma once

#include <cmath>
#include <numbers>
#include <string_view>

#include "tauhat/core/friction/friction_law.hpp"
#include "tauhat/core/math/autodiff.hpp"
#include "tauhat/core/parameter.hpp"

namespace tauhat {

template <class T>
struct CoulombAtan {
  using Scalar = T;
  static constexpr std::string_view kName = "coulomb-atan";
  static constexpr bool kOdd = true;
  T coulomb = T(0), viscous = T(0), width = constant<T>(0.01);

  template <class S>
  CoulombAtan<S> cast() const {
    return with_scalar<CoulombAtan<S>>(*this);
  }

  T torque(const T& velocity) const {
    using std::atan;
    return coulomb * constant<T>(2 / std::numbers::pi) * atan(T(velocity / width)) + viscous * velocity;
  }

  TorqueAndSlope<T> torque_and_slope(const T& velocity) const {
    const T ratio = velocity / width;
    return {torque(velocity), coulomb * constant<T>(2 / std::numbers::pi) / (width * (T(1) + ratio * ratio)) + viscous};
  }

  T steepest_slope() const { return coulomb * constant<T>(2 / std::numbers::pi) / width + viscous; }

  template <class Self, class Visitor>
  static void visit_parameters(Self& self, Visitor&& visit, std::string_view group = "friction") {
    visit_sliding_parameters(self, visit, group);
  }
};

}  // namespace tauhat
