// One body on one coordinate, sliding or turning, whose friction F is free:
//   M v' = u - k x - d v - g_s sin(x) - g_c cos(x) - F_0 - F
// A linear stage has M and F_0; a mass on a spring k and d; a pendulum or a robot's axis g_s and g_c. Units are those
// of a turning axis; a sliding one reads N for N m and m for rad. An unknown (random walk) or a law supplies F.
#pragma once

#include <array>
#include <cmath>

#include "tauhat/core/math/autodiff.hpp"
#include "tauhat/core/model.hpp"

namespace tauhat {

template <class T>
struct Axis {
  using Scalar = T;
  template <class S>
  using Rebind = Axis<S>;

  enum State { position, velocity, kStates };
  enum Input { force, friction_force, kInputs };
  enum Output { position_output, velocity_output, friction_output, kOutputCount };
  static constexpr std::array<Signal, kInputs> kInputSignals{{{"axis.force", "N m"}, {"friction.force", "N m"}}};
  static constexpr std::array<Signal, kStates> kStateSignals{{{"axis.position", "rad"}, {"axis.velocity", "rad/s"}}};
  static constexpr std::array<Signal, kOutputCount> kOutputs{
      {{"axis.position", "rad"}, {"axis.velocity", "rad/s"}, {"friction.force", "N m"}}};

  T mass = T(1), stiffness = T(0), damping = T(0), gravity_sine = T(0), gravity_cosine = T(0), offset = T(0);
  Vector<T, kStates> noise = Vector<T, kStates>::Zero();  // spectral densities of the state derivatives

  template <class S>
  Rebind<S> cast() const {
    return {static_cast<S>(mass),         static_cast<S>(stiffness),      static_cast<S>(damping),
            static_cast<S>(gravity_sine), static_cast<S>(gravity_cosine), static_cast<S>(offset),
            noise.template cast<S>()};
  }

  // What acts at standstill, friction aside.
  T net_force(const T& at, const T& applied) const {
    using std::cos, std::sin;
    return applied - stiffness * at - gravity_sine * sin(at) - gravity_cosine * cos(at) - offset;
  }

  StateOf<Axis> derivative(const StateOf<Axis>& x, const InputOf<Axis>& u) const {
    StateOf<Axis> dx;
    dx[position] = x[velocity];
    dx[velocity] = (net_force(x[position], u[force]) - damping * x[velocity] - u[friction_force]) / mass;
    return dx;
  }

  Linearised<T, kStates, kInputs> linearised(const StateOf<Axis>& x, const InputOf<Axis>& u) const {
    using std::cos, std::sin;
    Linearised<T, kStates, kInputs> at;
    at.derivative = derivative(x, u);
    const T stiffness_here = stiffness + gravity_sine * cos(x[position]) - gravity_cosine * sin(x[position]);
    at.by_state << T(0), T(1), -stiffness_here / mass, -damping / mass;
    at.by_input << T(0), T(0), T(1) / mass, T(-1) / mass;
    return at;
  }

  T output(int index, const StateOf<Axis>& x, const InputOf<Axis>& u) const {
    return index == friction_output ? u[friction_force] : x[index];
  }

  OutputGradient<T, kStates, kInputs> output_gradient(int index, const StateOf<Axis>&, const InputOf<Axis>&) const {
    OutputGradient<T, kStates, kInputs> gradient{StateOf<Axis>::Zero(), InputOf<Axis>::Zero()};
    if (index == friction_output) {
      gradient.by_input[friction_force] = T(1);
    } else {
      gradient.by_state[index] = T(1);
    }
    return gradient;
  }

  static constexpr int output_state(int index) noexcept { return index < kStates ? index : -1; }

  const Vector<T, kStates>& spectral_density() const { return noise; }

  // As of TwoMassDrive: at most the largest damping over mass, or the root of stiffness over mass.
  T fastest_rate(const T& friction_slope = T(0)) const {
    using std::abs, std::sqrt;
    const T decay = (damping + friction_slope) / mass;
    const T oscillation = sqrt(T((stiffness + abs(gravity_sine) + abs(gravity_cosine)) / mass));
    return decay > oscillation ? decay : oscillation;
  }

  template <class Self, class Visitor>
  static void visit_parameters(Self& self, Visitor&& visit) {
    visit(ParameterInfo{"axis", "mass", "kg m^2", Range::positive(), "all that moves, motor included"}, self.mass);
    visit(ParameterInfo{"axis", "stiffness", "N m/rad", Range::not_negative(), "of a spring towards zero"},
          self.stiffness);
    visit(ParameterInfo{"axis", "damping", "N m s/rad", Range::not_negative(), "known beside the friction"},
          self.damping);
    visit(ParameterInfo{"gravity", "sine", "N m", Range::any(), "times the sine of the position"}, self.gravity_sine);
    visit(ParameterInfo{"gravity", "cosine", "N m", Range::any(), "times its cosine"}, self.gravity_cosine);
    visit(ParameterInfo{"friction", "offset", "N m", Range::any(), "constant force against motion in +"}, self.offset);
  }
};

}  // namespace tauhat
