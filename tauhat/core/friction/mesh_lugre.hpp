// LuGre friction of a geared motor, one step at a time. Its level rises with the torque that the teeth pass on, and the
// bristles' damping fades with speed (Canudas de Wit et al. 1995, eq. 11):
//   G(w, load) = G(w) + load_share |load|
//   z' = w - sigma0 |w| z / G,   tau_f = sigma0 z + sigma1 exp(-(w / fading_velocity)^2) z'
// Over a step the velocity is held, and z follows exactly:
//   z+ = z e^(-r h) + w (1 - e^(-r h)) / r,   r = sigma0 |w| / G
// r reaches 1e4 1/s at speed: a step of 400 us would otherwise need dozens of sub-steps.
#pragma once

#include <cmath>
#include <limits>
#include <string_view>

#include "tauhat/core/friction/lugre.hpp"

namespace tauhat {

template <class T>
struct MeshLuGre {
  using Scalar = T;
  LuGre<T> bristles;
  T load_share = T(0);
  T fading_velocity = constant<T>(std::numeric_limits<double>::infinity());

  // After a step; the force is its mean over the step, from the mean of z and z+. With derivatives by velocity, z and
  // load, in this order.
  struct Step {
    T memory, force;
    Vector<T, 3> memory_gradient, force_gradient;
  };
  Step step(T velocity, T z, T load, T h) const noexcept {
    using D = Dual<T, 3>;
    const MeshLuGre<D> law = cast<D>();
    const D w(velocity, 3, 0), z0(z, 3, 1), passed_on(load, 3, 2);
    const D rate = law.slip_rate(w, passed_on);
    const D z1 = z0 * exp(D(-rate * h)) + w * settled_share(rate, h);
    const D force = law.torque(w, D((z0 + z1) * T(0.5)), passed_on);
    return {z1.value(), force.value(), z1.derivatives(), force.derivatives()};
  }

  template <class S>
  MeshLuGre<S> cast() const {
    return with_scalar<MeshLuGre<S>>(*this);
  }

  // At an instant.
  T memory_rate(const T& velocity, const T& z, const T& load) const { return velocity - slip_rate(velocity, load) * z; }
  T torque(const T& velocity, const T& z, const T& load) const {
    using std::exp;
    const T ratio = velocity / fading_velocity;
    return bristles.bristle_stiffness * z +
           bristles.bristle_damping * exp(T(-ratio * ratio)) * memory_rate(velocity, z, load) +
           bristles.viscous * velocity;
  }

  template <class Self, class Visitor>
  static void visit_parameters(Self& self, Visitor&& visit, std::string_view group = "friction") {
    LuGre<T>::visit_parameters(self.bristles, visit, group);
    visit(ParameterInfo{group, "load_share", "1", Range::not_negative(), "of the torque passed on, added to the level"},
          self.load_share);
    visit(ParameterInfo{group, "fading_velocity", "rad/s", Range::positive(), "above it bristles do not damp"},
          self.fading_velocity);
  }

  // r: how fast bent bristles come to slide, 1/s.
  T slip_rate(const T& velocity, const T& load) const {
    using std::abs;
    return bristles.bristle_stiffness * T(abs(velocity)) / T(bristles.level(velocity) + load_share * T(abs(load)));
  }

 private:
  // (1 - e^(-r h)) / r
  template <class D>
  static D settled_share(const D& rate, T h) {
    const D x = rate * h;
    if (plain(x) < T(1e-3)) return h * (T(1) - x / T(2) + x * x / T(6));
    return (T(1) - exp(D(-x))) / rate;
  }
};

}  // namespace tauhat
