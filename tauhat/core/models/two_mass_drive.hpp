// Motor and load joined by a transmission whose torque is free (Hovland et al. 2002, eq. 1, with a gear ratio N):
//   J_m w_m' = u - (D w_d + tau) / N - tau_f(w_m) - K_r q_m        w_d = w_m / N - w_l
//   J_l w_l' =      D w_d + tau      - tau_load(w_l)
// The transmission's quantities live at the load side. An unknown (random walk) or a law supplies tau. A motor friction
// that depends on load is tau_f(w_m, (D w_d + tau) / N): what the mesh passes on, at the motor's side.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>

#include "tauhat/core/friction/coulomb_atan.hpp"
#include "tauhat/core/friction/coulomb_tanh.hpp"
#include "tauhat/core/math/autodiff.hpp"
#include "tauhat/core/model.hpp"

namespace tauhat {

template <class T, template <class> class Friction = CoulombAtan>
struct TwoMassDrive {
  using Scalar = T;
  template <class S>
  using Rebind = TwoMassDrive<S, Friction>;

  enum State { motor_position, load_position, motor_velocity, load_velocity, kStates };
  enum Input { motor_torque, transmission_torque, kInputs };
  enum Output {
    motor_position_output,
    load_position_output,
    motor_velocity_output,
    load_velocity_output,
    displacement_output,
    displacement_rate_output,
    transmission_torque_output,
    kOutputCount
  };
  static constexpr std::array<Signal, kInputs> kInputSignals{{{"motor.torque", "N m"}, {"transmission.torque", "N m"}}};
  static constexpr std::array<Signal, kStates> kStateSignals{
      {{"motor.position", "rad"}, {"load.position", "rad"}, {"motor.velocity", "rad/s"}, {"load.velocity", "rad/s"}}};
  static constexpr std::array<Signal, kOutputCount> kOutputs{{{"motor.position", "rad"},
                                                              {"load.position", "rad"},
                                                              {"motor.velocity", "rad/s"},
                                                              {"load.velocity", "rad/s"},
                                                              {"transmission.displacement", "rad"},
                                                              {"transmission.displacement_rate", "rad/s"},
                                                              {"transmission.torque", "N m"}}};

  T motor_inertia = constant<T>(1e-3), load_inertia = constant<T>(1e-3), ratio = T(1), damping = T(0),
    position_gain = T(0);
  Friction<T> motor_friction;
  CoulombTanh<T> load_friction;
  Vector<T, kStates> noise = Vector<T, kStates>::Zero();  // spectral densities of the state derivatives

  template <class S>
  Rebind<S> cast() const {
    return {static_cast<S>(motor_inertia),    static_cast<S>(load_inertia),  static_cast<S>(ratio),
            static_cast<S>(damping),          static_cast<S>(position_gain), motor_friction.template cast<S>(),
            load_friction.template cast<S>(), noise.template cast<S>()};
  }

  // At the load side.
  T torque_passed_on(const StateOf<TwoMassDrive>& x, const InputOf<TwoMassDrive>& u) const {
    return damping * (x[motor_velocity] / ratio - x[load_velocity]) + u[transmission_torque];
  }

  StateOf<TwoMassDrive> derivative(const StateOf<TwoMassDrive>& x, const InputOf<TwoMassDrive>& u) const {
    const T passed_on = torque_passed_on(x, u);
    const T friction = torque_under(motor_friction, x[motor_velocity], T(passed_on / ratio));
    StateOf<TwoMassDrive> dx;
    dx[motor_position] = x[motor_velocity];
    dx[load_position] = x[load_velocity];
    dx[motor_velocity] =
        (u[motor_torque] - passed_on / ratio - friction - position_gain * x[motor_position]) / motor_inertia;
    dx[load_velocity] = (passed_on - load_friction.torque(x[load_velocity])) / load_inertia;
    return dx;
  }

  Linearised<T, kStates, kInputs> linearised(const StateOf<TwoMassDrive>& x, const InputOf<TwoMassDrive>& u) const {
    const T passed_on = torque_passed_on(x, u);
    const auto friction = torque_and_slope_under(motor_friction, x[motor_velocity], T(passed_on / ratio));
    const auto at_load = load_friction.torque_and_slope(x[load_velocity]);
    const T felt = T(1) + friction.by_load;  // by the motor, of a torque that is passed on
    Linearised<T, kStates, kInputs> at;
    at.derivative << x[motor_velocity], x[load_velocity],
        (u[motor_torque] - passed_on / ratio - friction.torque - position_gain * x[motor_position]) / motor_inertia,
        (passed_on - at_load.torque) / load_inertia;
    at.by_state.setZero();
    at.by_state(motor_position, motor_velocity) = T(1);
    at.by_state(load_position, load_velocity) = T(1);
    at.by_state(motor_velocity, motor_position) = -position_gain / motor_inertia;
    at.by_state(motor_velocity, motor_velocity) = -(felt * damping / (ratio * ratio) + friction.slope) / motor_inertia;
    at.by_state(motor_velocity, load_velocity) = felt * damping / ratio / motor_inertia;
    at.by_state(load_velocity, motor_velocity) = damping / ratio / load_inertia;
    at.by_state(load_velocity, load_velocity) = -(damping + at_load.slope) / load_inertia;
    at.by_input.setZero();
    at.by_input(motor_velocity, motor_torque) = T(1) / motor_inertia;
    at.by_input(motor_velocity, transmission_torque) = -felt / (ratio * motor_inertia);
    at.by_input(load_velocity, transmission_torque) = T(1) / load_inertia;
    return at;
  }

  T output(int index, const StateOf<TwoMassDrive>& x, const InputOf<TwoMassDrive>& u) const {
    switch (index) {
      case displacement_output:
        return x[motor_position] / ratio - x[load_position];
      case displacement_rate_output:
        return x[motor_velocity] / ratio - x[load_velocity];
      case transmission_torque_output:
        return u[transmission_torque];
      default:
        return x[index];  // the first outputs are the states
    }
  }

  OutputGradient<T, kStates, kInputs> output_gradient(int index, const StateOf<TwoMassDrive>&,
                                                      const InputOf<TwoMassDrive>&) const {
    OutputGradient<T, kStates, kInputs> gradient{StateOf<TwoMassDrive>::Zero(), InputOf<TwoMassDrive>::Zero()};
    const T per_motor = T(1) / ratio;
    switch (index) {
      case displacement_output:
        gradient.by_state << per_motor, T(-1), T(0), T(0);
        break;
      case displacement_rate_output:
        gradient.by_state << T(0), T(0), per_motor, T(-1);
        break;
      case transmission_torque_output:
        gradient.by_input[transmission_torque] = T(1);
        break;
      default:
        gradient.by_state[index] = T(1);
    }
    return gradient;
  }

  // The state that an output is, or -1.
  static constexpr int output_state(int index) noexcept { return index < kStates ? index : -1; }

  const Vector<T, kStates>& spectral_density() const { return noise; }

  // Bound of the fastest motion, for the choice of sub-steps. Any mode of M x" + C x' + K x = 0 moves at a rate of at
  // most max(c / m, sqrt(k / m)), with m, c, k the matrices along its shape, and so of at most the largest c / m and
  // k / m of all shapes. A transmission that is a spring adds to K.
  T fastest_rate(const T& stiffness = T(0)) const {
    return fastest_rate_by(motor_friction.steepest_slope(), stiffness);
  }

  // Friction that depends on load is the steeper the more is passed on: here and now.
  T fastest_rate(const StateOf<TwoMassDrive>& x, const InputOf<TwoMassDrive>& u, const T& stiffness = T(0)) const
    requires DependsOnLoad<Friction<T>>
  {
    return fastest_rate_by(motor_friction.steepest_slope(T(torque_passed_on(x, u) / ratio)), stiffness);
  }

  template <class Self, class Visitor>
  static void visit_parameters(Self& self, Visitor&& visit) {
    visit(ParameterInfo{"motor", "inertia", "kg m^2", Range::positive(), "rotor, at the motor side"},
          self.motor_inertia);
    visit(ParameterInfo{"load", "inertia", "kg m^2", Range::positive(), "all that the gear drives"}, self.load_inertia);
    visit(ParameterInfo{"transmission", "ratio", "1", Range::positive(), "motor turns per load turn"}, self.ratio);
    visit(ParameterInfo{"transmission", "damping", "N m s/rad", Range::not_negative(), "at the load side"},
          self.damping);
    visit(
        ParameterInfo{"motor", "position_gain", "N m/rad", Range::not_negative(), "proportional control of the motor"},
        self.position_gain);
    Friction<T>::visit_parameters(self.motor_friction, visit, "motor.friction");
    CoulombTanh<T>::visit_parameters(self.load_friction, visit, "load.friction");
  }

 private:
  // What is passed on meets the motor with the friction that it causes, as if the motor were that much lighter.
  T fastest_rate_by(const T& motor_slope, const T& stiffness) const {
    using std::sqrt;
    const T motor = motor_slope / motor_inertia, load = load_friction.steepest_slope() / load_inertia;
    const T felt = T(1) + steepest_by_load(motor_friction);
    const T inverse_inertia = felt / (ratio * ratio * motor_inertia) + T(1) / load_inertia;
    const T decay = (motor > load ? motor : load) + damping * inverse_inertia;
    const T oscillation = sqrt(T(stiffness * inverse_inertia + position_gain / motor_inertia));
    return decay > oscillation ? decay : oscillation;
  }
};

}  // namespace tauhat
