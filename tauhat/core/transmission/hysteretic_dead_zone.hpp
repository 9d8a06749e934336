// A dead zone whose flanks lose energy: rate-independent friction between the loaded teeth, after Dahl.
//   tau = s + h |s| z,   s the dead zone's spring torque,   z' = (d' - |d'| z) / width,   -1 <= z <= 1
// The loss is proportional to the load, so there is none inside the gap.
#pragma once

#include <array>
#include <cmath>
#include <string_view>

#include "tauhat/core/math/autodiff.hpp"
#include "tauhat/core/transmission/dead_zone.hpp"

namespace tauhat {

template <class T>
struct HystereticDeadZone {
  using Scalar = T;
  static constexpr std::string_view kName = "hysteretic-dead-zone";
  static constexpr int kInternal = 1;
  DeadZone<T> spring;
  T hysteresis = T(0), width = constant<T>(1e-3);

  T torque(const T& displacement, const T& rate, const Vector<T, 1>& z) const {
    using std::abs;
    const T elastic = spring.torque(displacement, rate, z);
    return elastic + hysteresis * abs(elastic) * z[0];
  }

  Vector<T, 1> internal_derivative(const T&, const T& rate, const Vector<T, 1>& z) const {
    using std::abs;
    return Vector<T, 1>(T((rate - abs(rate) * z[0]) / width));
  }

  T steepest_stiffness() const { return spring.steepest_stiffness() * (T(1) + hysteresis); }
  std::array<T, 2> kinks() const { return spring.kinks(); }

  template <class Self, class Visitor>
  static void visit_parameters(Self& self, Visitor&& visit) {
    DeadZone<T>::visit_parameters(self.spring, visit);
    visit(ParameterInfo{"transmission", "hysteresis", "1", Range::not_zero_up_to(0.5), "share of the torque lost"},
          self.hysteresis);
    visit(
        ParameterInfo{"transmission", "hysteresis_width", "rad", Range::positive(), "twist over which friction turns"},
        self.width);
  }
};

}  // namespace tauhat
