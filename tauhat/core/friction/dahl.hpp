// Dahl's friction: the contact bends like a spring before it slides, so a small motion back and forth draws a loop.
//   z' = w - stiffness |w| z / coulomb,   tau_f = stiffness z + viscous w        |z| <= coulomb / stiffness
// Of the power tau_f w, stiffness z z' is stored; (stiffness z)^2 |w| / coulomb + viscous w^2 >= 0 is lost.
#pragma once

#include <cmath>
#include <string_view>

#include "tauhat/core/friction/friction_law.hpp"
#include "tauhat/core/math/autodiff.hpp"
#include "tauhat/core/math/matrix.hpp"
#include "tauhat/core/parameter.hpp"

namespace tauhat {

template <class T>
struct Dahl {
  using Scalar = T;
  static constexpr std::string_view kName = "dahl";
  static constexpr bool kOdd = true;
  static constexpr int kMemory = 1;
  T coulomb = T(1), stiffness = T(100), viscous = T(0);

  template <class S>
  Dahl<S> cast() const {
    return with_scalar<Dahl<S>>(*this);
  }

  T torque(const T& velocity, const Vector<T, 1>& z) const { return stiffness * z[0] + viscous * velocity; }

  Vector<T, 1> memory_rate(const T& velocity, const Vector<T, 1>& z) const {
    using std::abs;
    const T speed = abs(velocity);
    return Vector<T, 1>(T(velocity - stiffness * speed * z[0] / coulomb));
  }

  T fastest_memory_rate(const T& largest_speed) const { return stiffness * largest_speed / coulomb; }
  T steady_torque(const T& velocity) const { return coulomb * smooth_sign(velocity, T(0)).value + viscous * velocity; }
  Presliding<T> presliding() const { return {stiffness, viscous}; }
  T stored_energy(const Vector<T, 1>& z) const { return T(0.5) * stiffness * z[0] * z[0]; }

  template <class Self, class Visitor>
  static void visit_parameters(Self& self, Visitor&& visit, std::string_view group = "friction") {
    visit(ParameterInfo{group, "coulomb", "N m", Range::positive(), "level of sliding"}, self.coulomb);
    visit(ParameterInfo{group, "stiffness", "N m/rad", Range::positive(), "of the contact before it slides"},
          self.stiffness);
    visit(ParameterInfo{group, "viscous", "N m s/rad", Range::not_negative(), "slope at speed"}, self.viscous);
  }
};

}  // namespace tauhat
