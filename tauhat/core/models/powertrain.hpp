// Motor, gear, elastic shaft with backlash, load (Lagerberg and Egardt; backlash after Nordin, Galic' and Gutman):
//   J_m w_m' = T_m - b_m w_m - T_s / i        T_m' = ((1 + e) u - T_m) / lag
//                                             u the commanded torque, delayed by the caller; e how wrong it is
//   J_l w_l' = T_s - b_l w_l - T_l            T_l' = 0, a random walk
//   th_d = th_m / i - th_l = twist + th_b,    T_s = k (th_d - th_b) + c (w_d - w_b)
// th_b is the position inside the gap. With h = w_d + k / c (th_d - th_b):
//   in contact   th_b stands at a limit, T_s = c h presses it there          until h turns away from the limit
//   in the gap   T_s = 0, so w_b = h                                         until th_b reaches a limit
// Both are linear, and differ in three rows. The limits L <= th_b <= U and e are states, too: they are learned, or
// known with no variance. So is how far the load's wheel runs out of true: its tooth that counts as y stands at
//   th_l = y + r_c cos y + r_s sin y
// which comes again with every turn, near the shaft's own frequency, and would pass for motion if it counted as noise.
// Displacements and torques of the shaft are at the load side.
#pragma once

#include <array>
#include <cmath>

#include "tauhat/core/math/discretise.hpp"
#include "tauhat/core/model.hpp"

namespace tauhat {

// Which side carries. The sign is that of the shaft's torque.
enum class GapMode : signed char { lower = -1, gap = 0, upper = 1 };

template <class T>
constexpr T side_of(GapMode mode) {
  return static_cast<T>(static_cast<signed char>(mode));
}

template <class T>
struct Powertrain {
  using Scalar = T;
  template <class S>
  using Rebind = Powertrain<S>;

  enum State {
    motor_position,
    motor_velocity,
    load_position,
    load_velocity,
    load_torque,
    motor_torque,
    gap_position,
    upper_limit,
    lower_limit,
    gain_error,
    runout_cosine,
    runout_sine,
    kStates
  };
  enum Input { command, kInputs };
  enum Output {
    motor_position_output,
    motor_velocity_output,
    load_position_output,
    load_velocity_output,
    load_torque_output,
    motor_torque_output,
    gap_position_output,
    displacement_output,
    twist_output,
    shaft_torque_output,
    gap_output,
    offset_output,
    gain_output,
    kOutputCount
  };
  static constexpr int kConstantStates = 5, kMoving = kStates - kConstantStates;  // limits, gain and runout stay
  static constexpr std::array<Signal, kInputs> kInputSignals{{{"motor.command", "N m"}}};
  static constexpr std::array<Signal, kOutputCount> kOutputs{{{"motor.position", "rad"},
                                                              {"motor.velocity", "rad/s"},
                                                              {"load.position", "rad"},
                                                              {"load.velocity", "rad/s"},
                                                              {"load.torque", "N m"},
                                                              {"motor.torque", "N m"},
                                                              {"backlash.position", "rad"},
                                                              {"transmission.displacement", "rad"},
                                                              {"transmission.twist", "rad"},
                                                              {"transmission.torque", "N m"},
                                                              {"backlash.gap", "rad"},
                                                              {"backlash.offset", "rad"},
                                                              {"motor.gain", "1"}}};

  T motor_inertia = constant<T>(0.3), load_inertia = T(140), ratio = T(12);
  T motor_damping = T(0), load_damping = constant<T>(5.6);
  T stiffness = T(10000), damping = T(120), lag = constant<T>(0.1);
  Vector<T, kStates> noise = Vector<T, kStates>::Zero();  // spectral densities of the state derivatives
  GapMode mode = GapMode::gap;

  template <class S>
  Rebind<S> cast() const {
    return {static_cast<S>(motor_inertia), static_cast<S>(load_inertia),
            static_cast<S>(ratio),         static_cast<S>(motor_damping),
            static_cast<S>(load_damping),  static_cast<S>(stiffness),
            static_cast<S>(damping),       static_cast<S>(lag),
            noise.template cast<S>(),      mode};
  }

  bool in_contact() const { return mode != GapMode::gap; }
  int limit_state() const { return mode == GapMode::upper ? upper_limit : lower_limit; }

  // h = a x: how fast th_b would move, and T_s = c h in contact.
  Vector<T, kStates> guard() const {
    Vector<T, kStates> a = Vector<T, kStates>::Zero();
    const T rate = stiffness / damping;
    a[motor_position] = rate / ratio;
    a[motor_velocity] = T(1) / ratio;
    a[load_position] = a[gap_position] = -rate;
    a[load_velocity] = T(-1);
    return a;
  }
  T guard_at(const Vector<T, kStates>& x) const {
    return x[motor_velocity] / ratio - x[load_velocity] +
           stiffness / damping * (x[motor_position] / ratio - x[load_position] - x[gap_position]);
  }

  T shaft_torque(const Vector<T, kStates>& x) const { return in_contact() ? T(damping * guard_at(x)) : T(0); }

  Matrix<T, kStates> dynamics() const {
    Matrix<T, kStates> a = Matrix<T, kStates>::Zero();
    a(motor_position, motor_velocity) = a(load_position, load_velocity) = T(1);
    a(motor_velocity, motor_velocity) = -motor_damping / motor_inertia;
    a(motor_velocity, motor_torque) = T(1) / motor_inertia;
    a(load_velocity, load_velocity) = -load_damping / load_inertia;
    a(load_velocity, load_torque) = T(-1) / load_inertia;
    a(motor_torque, motor_torque) = T(-1) / lag;
    if (in_contact()) {
      a.row(motor_velocity) -= damping / (ratio * motor_inertia) * guard().transpose();
      a.row(load_velocity) += damping / load_inertia * guard().transpose();
    } else {
      a.row(gap_position) = guard().transpose();
    }
    return a;
  }

  Vector<T, kStates> derivative(const Vector<T, kStates>& x, const Vector<T, kInputs>& u) const {
    const T torque = shaft_torque(x);
    Vector<T, kStates> dx = Vector<T, kStates>::Zero();
    dx[motor_position] = x[motor_velocity];
    dx[load_position] = x[load_velocity];
    dx[motor_velocity] = (x[motor_torque] - motor_damping * x[motor_velocity] - torque / ratio) / motor_inertia;
    dx[load_velocity] = (torque - load_damping * x[load_velocity] - x[load_torque]) / load_inertia;
    dx[motor_torque] = ((T(1) + x[gain_error]) * u[command] - x[motor_torque]) / lag;
    if (!in_contact()) dx[gap_position] = guard_at(x);
    return dx;
  }

  // How any state moves within dt. Both models are linear and a step is short beside their fastest motion (c / J_m,
  // k / c): the exponential's series ends with the third power, and a third order of rate * dt = 0.1 is wrong by 4e-6
  // of the step. Only the states that move have rows and columns in the powers.
  struct Flow {
    PaddedMatrix<T, kMoving> first, second;  // A dt, (A dt)^2 / 2
    Discrete<T, kStates> step;
    T dt;
  };
  Flow flow(T dt, const Vector<T, kInputs>& u) const noexcept {
    Flow flow;
    flow.dt = dt;
    flow.first = padded<T, kMoving>(dynamics().template topLeftCorner<kMoving, kMoving>() * dt);
    flow.second = multiply(flow.first, flow.first) / T(2);
    const PaddedMatrix<T, kMoving> third = multiply(flow.second, flow.first) / T(3);
    flow.step.transition.template topLeftCorner<kMoving, kMoving>() =
        (flow.first + flow.second + third).template topRows<kMoving>();
    flow.step.transition.template block<kMoving, 1>(0, gain_error) =
        along(flow, Vector<T, kMoving>(Vector<T, kMoving>::Unit(motor_torque) * (u[command] / lag)));
    flow.step.transition.diagonal().array() += T(1);
    flow.step.noise.diagonal() = noise * dt;
    return flow;
  }
  Vector<T, kStates> moved(const Flow& flow, const Vector<T, kStates>& x, const Vector<T, kInputs>& u) const noexcept {
    Vector<T, kStates> mean = x;
    mean.template head<kMoving>() += along(flow, Vector<T, kMoving>(derivative(x, u).template head<kMoving>()));
    return mean;
  }

  struct Step {
    Vector<T, kStates> mean;
    Discrete<T, kStates> step;
  };
  Step step(const Vector<T, kStates>& x, const Vector<T, kInputs>& u, T dt) const noexcept {
    const Flow way = flow(dt, u);
    return {moved(way, x, u), way.step};
  }

  T output(int index, const Vector<T, kStates>& x, const Vector<T, kInputs>&) const {
    const T displacement = x[motor_position] / ratio - x[load_position];
    switch (index) {
      case displacement_output:
        return displacement;
      case twist_output:
        return displacement - x[gap_position];
      case shaft_torque_output:
        return shaft_torque(x);
      case gap_output:
        return x[upper_limit] - x[lower_limit];
      case offset_output:
        return -(x[upper_limit] + x[lower_limit]) / T(2);
      case gain_output:
        return T(1) + x[gain_error];
      default:
        return x[index];  // the first outputs are the states
    }
  }

  static constexpr int output_state(int index) noexcept { return index <= gap_position ? index : -1; }

  // What a tooth that counts as `place` is the sum of, beside the state that is measured.
  using Beside = std::array<StateTerm<T>, 2>;
  static constexpr bool measures_by_place(int index) noexcept { return index == load_position; }
  static Beside beside(T place) noexcept {
    return {{{runout_cosine, -std::cos(place)}, {runout_sine, -std::sin(place)}}};
  }
  // The variance of cosine and sine alike, if the errors of so many teeth are independent.
  static T runout_variance(T tooth_std, T teeth) noexcept { return T(2) * tooth_std * tooth_std / teeth; }

  const Vector<T, kStates>& spectral_density() const { return noise; }

  T fastest_rate() const {
    const T shaft = damping * (T(1) / (ratio * ratio * motor_inertia) + T(1) / load_inertia);
    const T fill = stiffness / damping;
    return shaft > fill ? shaft : fill;
  }

  template <class Self, class Visitor>
  static void visit_parameters(Self& self, Visitor&& visit) {
    visit(ParameterInfo{"motor", "inertia", "kg m^2", Range::positive(), "at the motor side"}, self.motor_inertia);
    visit(ParameterInfo{"motor", "damping", "N m s/rad", Range::not_negative(), "of the motor to ground"},
          self.motor_damping);
    visit(ParameterInfo{"motor", "lag", "s", Range::positive(), "of the torque behind its command"}, self.lag);
    visit(ParameterInfo{"load", "inertia", "kg m^2", Range::positive(), "all that the shaft drives"},
          self.load_inertia);
    visit(ParameterInfo{"load", "damping", "N m s/rad", Range::not_negative(), "of the load to ground"},
          self.load_damping);
    visit(ParameterInfo{"transmission", "ratio", "1", Range::positive(), "motor turns per load turn"}, self.ratio);
    visit(ParameterInfo{"transmission", "stiffness", "N m/rad", Range::positive(), "of the shaft, at the load side"},
          self.stiffness);
    visit(ParameterInfo{"transmission", "damping", "N m s/rad", Range::positive(), "of the shaft, at the load side"},
          self.damping);
  }

 private:
  // Where a rate leads that all of dt begins with: integral e^(A s) ds rate.
  static Vector<T, kMoving> along(const Flow& flow, const Vector<T, kMoving>& rate) noexcept {
    const PaddedVector<T, kMoving> start = padded<T, kMoving>(rate * flow.dt);
    const Vector<T, kMoving> way = start.template head<kMoving>();
    return (start + flow.first * way / T(2) + flow.second * way / T(3)).template head<kMoving>();
  }
};

}  // namespace tauhat
