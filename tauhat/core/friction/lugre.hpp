// LuGre friction: Dahl's bristles with damping, sliding at a Stribeck level (Canudas de Wit et al. 1995).
//   G(w) = coulomb + (breakaway - coulomb) exp(-(w / stribeck_velocity)^2)
//   z' = w - sigma0 |w| z / G(w),   tau_f = sigma0 z + sigma1 z' + sigma2 w
//   sigma0 bristle_stiffness, sigma1 bristle_damping, sigma2 viscous
// Passive? With the stored energy sigma0 z^2 / 2 and r = sigma0 z sign(w) / G(w), the power lost is
//   G |w| r^2 + (sigma1 (1 - r) + sigma2) w^2.
// - Least over r: not negative at any z while |w| <= 4 (sigma1 + sigma2) G(w) / sigma1^2.
// - |z| never leaves breakaway / sigma0, so r <= breakaway / coulomb: not negative at any speed where
//   sigma2 coulomb >= sigma1 (breakaway - coulomb)                              (Barabanov and Ortega 2000).
// Beyond both, bristles that were bent at rest are let go at speed, and sigma1 gives back more than they took.
#pragma once

#include <cmath>
#include <string_view>

#include "tauhat/core/friction/friction_law.hpp"
#include "tauhat/core/math/autodiff.hpp"
#include "tauhat/core/math/matrix.hpp"
#include "tauhat/core/parameter.hpp"

namespace tauhat {

template <class T>
struct LuGre {
  using Scalar = T;
  static constexpr std::string_view kName = "lugre";
  static constexpr bool kOdd = true;
  static constexpr int kMemory = 1;
  T bristle_stiffness = T(100), bristle_damping = T(0), viscous = T(0), coulomb = T(1), breakaway = T(1),
    stribeck_velocity = constant<T>(0.1);

  template <class S>
  LuGre<S> cast() const {
    return with_scalar<LuGre<S>>(*this);
  }

  // G(w): what it slides at.
  T level(const T& velocity) const {
    using std::exp;
    const T ratio = velocity / stribeck_velocity;
    return coulomb + (breakaway - coulomb) * exp(T(-ratio * ratio));
  }

  T torque(const T& velocity, const Vector<T, 1>& z) const {
    return bristle_stiffness * z[0] + bristle_damping * memory_rate(velocity, z)[0] + viscous * velocity;
  }

  Vector<T, 1> memory_rate(const T& velocity, const Vector<T, 1>& z) const {
    using std::abs;
    const T speed = abs(velocity);
    return Vector<T, 1>(T(velocity - bristle_stiffness * speed * z[0] / level(velocity)));
  }

  T fastest_memory_rate(const T& largest_speed) const {
    return bristle_stiffness * largest_speed / (coulomb < breakaway ? coulomb : breakaway);
  }
  T steady_torque(const T& velocity) const {
    return level(velocity) * smooth_sign(velocity, T(0)).value + viscous * velocity;
  }
  Presliding<T> presliding() const { return {bristle_stiffness, T(bristle_damping + viscous)}; }
  T stored_energy(const Vector<T, 1>& z) const { return T(0.5) * bristle_stiffness * z[0] * z[0]; }

  // Whatever the motion: the second condition above.
  bool is_passive() const { return viscous * coulomb >= bristle_damping * (breakaway - coulomb); }

  template <class Self, class Visitor>
  static void visit_parameters(Self& self, Visitor&& visit, std::string_view group = "friction") {
    visit(ParameterInfo{group, "bristle_stiffness", "N m/rad", Range::positive(), "of the contact before it slides"},
          self.bristle_stiffness);
    visit(ParameterInfo{group, "bristle_damping", "N m s/rad", Range::not_negative(), "while the contact bends"},
          self.bristle_damping);
    visit(ParameterInfo{group, "viscous", "N m s/rad", Range::not_negative(), "slope at speed"}, self.viscous);
    visit(ParameterInfo{group, "coulomb", "N m", Range::positive(), "level at speed"}, self.coulomb);
    visit(ParameterInfo{group, "breakaway", "N m", Range::positive(), "level at standstill"}, self.breakaway);
    visit(ParameterInfo{group, "stribeck_velocity", "rad/s", Range::positive(), "width of the bump"},
          self.stribeck_velocity);
  }
};

}  // namespace tauhat
