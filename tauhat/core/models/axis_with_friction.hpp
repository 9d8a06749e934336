// An axis whose friction follows a law. A law with memory adds its states after position and velocity.
#pragma once

#include <algorithm>
#include <array>

#include "tauhat/core/friction/friction_law.hpp"
#include "tauhat/core/models/axis.hpp"

namespace tauhat {

template <class T, template <class> class Friction>
struct AxisWithFriction {
  using Scalar = T;
  using Body = Axis<T>;
  using Law = Friction<T>;
  template <class S>
  using Rebind = AxisWithFriction<S, Friction>;

  static constexpr int kMemory = [] {
    if constexpr (requires { Law::kMemory; }) return static_cast<int>(Law::kMemory);
    return 0;
  }();
  enum State { position, velocity, first_memory, kStates = first_memory + kMemory };
  enum Input { force, kInputs };
  static constexpr auto kOutputs = Body::kOutputs;

  Body axis;
  Law friction;
  T fastest_bristles = T(0);  // 1/s, of a law with memory: as of WithBristles

  template <class S>
  Rebind<S> cast() const {
    return {axis.template cast<S>(), friction.template cast<S>(), static_cast<S>(fastest_bristles)};
  }

  T friction_force(const StateOf<AxisWithFriction>& x) const {
    if constexpr (kMemory > 0) {
      return friction.torque(x[velocity], memory(x));
    } else {
      return friction.torque(x[velocity]);
    }
  }

  StateOf<AxisWithFriction> derivative(const StateOf<AxisWithFriction>& x, const InputOf<AxisWithFriction>& u) const {
    StateOf<AxisWithFriction> dx;
    dx.template head<2>() = axis.derivative(x.template head<2>(), InputOf<Body>(u[force], friction_force(x)));
    if constexpr (kMemory > 0) {
      dx.template tail<kMemory>() = limited_memory_rate(friction, x[velocity], memory(x), fastest_bristles);
    }
    return dx;
  }

  T output(int index, const StateOf<AxisWithFriction>& x, const InputOf<AxisWithFriction>&) const {
    return index == Body::friction_output ? friction_force(x) : x[index];
  }

  static constexpr int output_state(int index) noexcept { return Body::output_state(index); }

  StateOf<AxisWithFriction> spectral_density() const {
    StateOf<AxisWithFriction> density = StateOf<AxisWithFriction>::Zero();
    density.template head<2>() = axis.spectral_density();
    return density;
  }

  T fastest_rate() const {
    if constexpr (kMemory > 0) {
      const T held = fastest_on_bristles(friction, axis.mass, fastest_bristles), free = axis.fastest_rate();
      return held > free ? held : free;
    } else {
      return axis.fastest_rate(friction.steepest_slope());
    }
  }

  template <class Self, class Visitor>
  static void visit_parameters(Self& self, Visitor&& visit) {
    Body::visit_parameters(self.axis, visit);
    Law::visit_parameters(self.friction, visit, "friction");
  }

 private:
  static auto memory(const StateOf<AxisWithFriction>& x) { return Vector<T, kMemory>(x.template tail<kMemory>()); }
};

}  // namespace tauhat
