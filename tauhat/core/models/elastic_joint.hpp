// An axis of a robot: motor, elastic joint and link, alone (four states) or with the neighbour axis that its link
// shakes through the mass matrix (six states; Spong 1987, with the corrected signs of its coupling):
//   J_m w_m' = u - d - b_m w_m - tau / N                  tau = K (q_m / N - q_l) + D (w_m / N - w_l)
//   M [w_l', w_n']^T = [tau - b_l w_l - tau_l - tau_e,  -K_n q_n - (D_n + b_n) w_n - tau_n]^T
// q_n is how far the neighbour's link is bent from where its motor holds it. What can be foretold acts as tau_l and
// tau_n: gravity, the pull of moving neighbours. What cannot is free: d at the motor, mostly friction, and tau_e at the
// link. An unknown (core/unknowns) turns either into states; the others are zero.
#pragma once

#include <array>
#include <cmath>

#include "tauhat/core/model.hpp"
#include "tauhat/core/models/joint_parameters.hpp"

namespace tauhat {

template <class T, bool WithNeighbour = true>
struct ElasticJoint {
  using Scalar = T;
  template <class S>
  using Rebind = ElasticJoint<S, WithNeighbour>;

  static constexpr int kBodies = WithNeighbour ? 3 : 2;
  // Without a neighbour its indices are those of nothing, and not used.
  enum State {
    motor_position,
    load_position,
    neighbour_position,
    motor_velocity = kBodies,
    load_velocity,
    neighbour_velocity,
    kStates = 2 * kBodies
  };
  enum Input { motor_torque, load_torque, neighbour_torque, external_torque, motor_disturbance, kInputs };
  enum Output { transmission_torque_output = kStates, external_torque_output, motor_disturbance_output, kOutputCount };
  static constexpr std::array<Signal, kInputs> kInputSignals{{{"motor.torque", "N m"},
                                                              {"load.torque", "N m"},
                                                              {"neighbour.torque", "N m"},
                                                              {"load.external_torque", "N m"},
                                                              {"motor.disturbance", "N m"}}};
  static constexpr auto kOutputs = [] {
    std::array<Signal, kOutputCount> outputs{};
    outputs[motor_position] = {"motor.position", "rad"};
    outputs[load_position] = {"load.position", "rad"};
    outputs[motor_velocity] = {"motor.velocity", "rad/s"};
    outputs[load_velocity] = {"load.velocity", "rad/s"};
    if constexpr (WithNeighbour) {
      outputs[neighbour_position] = {"neighbour.position", "rad"};
      outputs[neighbour_velocity] = {"neighbour.velocity", "rad/s"};
    }
    outputs[transmission_torque_output] = {"transmission.torque", "N m"};
    outputs[external_torque_output] = {"load.external_torque", "N m"};
    outputs[motor_disturbance_output] = {"motor.disturbance", "N m"};
    return outputs;
  }();

  T motor_inertia = constant<T>(1e-3), motor_viscous = T(0), ratio = T(100);
  T stiffness = constant<T>(1e5), damping = T(0);       // of the joint, at the load side
  T load_inertia = T(10), load_viscous = T(0);          // M22, b_l
  T coupling_inertia = T(0), neighbour_inertia = T(1);  // M23, M33
  T neighbour_stiffness = constant<T>(1e4), neighbour_damping = T(0), neighbour_viscous = T(0);
  Vector<T, kBodies> torque_noise = Vector<T, kBodies>::Zero();  // spectral densities at motor, link and neighbour

  template <class S>
  Rebind<S> cast() const {
    auto other = with_scalar<Rebind<S>>(*this);
    other.torque_noise = torque_noise.template cast<S>();
    return other;
  }

  T joint_torque(const StateOf<ElasticJoint>& x) const {
    return stiffness * (x[motor_position] / ratio - x[load_position]) +
           damping * (x[motor_velocity] / ratio - x[load_velocity]);
  }

  StateOf<ElasticJoint> derivative(const StateOf<ElasticJoint>& x, const InputOf<ElasticJoint>& u) const {
    const T tau = joint_torque(x);
    const T at_load = tau - load_viscous * x[load_velocity] - u[load_torque] - u[external_torque];
    StateOf<ElasticJoint> dx;
    dx.template head<kBodies>() = x.template tail<kBodies>();
    dx[motor_velocity] =
        (u[motor_torque] - u[motor_disturbance] - motor_viscous * x[motor_velocity] - tau / ratio) / motor_inertia;
    if constexpr (WithNeighbour) {
      const T at_neighbour = -neighbour_stiffness * x[neighbour_position] -
                             (neighbour_damping + neighbour_viscous) * x[neighbour_velocity] - u[neighbour_torque];
      const T determinant = load_inertia * neighbour_inertia - coupling_inertia * coupling_inertia;
      dx[load_velocity] = (neighbour_inertia * at_load - coupling_inertia * at_neighbour) / determinant;
      dx[neighbour_velocity] = (load_inertia * at_neighbour - coupling_inertia * at_load) / determinant;
    } else {
      dx[load_velocity] = at_load / load_inertia;
    }
    return dx;
  }

  T output(int index, const StateOf<ElasticJoint>& x, const InputOf<ElasticJoint>& u) const {
    switch (index) {
      case transmission_torque_output:
        return joint_torque(x);
      case external_torque_output:
        return u[external_torque];
      case motor_disturbance_output:
        return u[motor_disturbance];
      default:
        return x[index];  // the first outputs are the states
    }
  }
  static constexpr int output_state(int index) noexcept { return index < kStates ? index : -1; }

  // A torque that shakes the link shakes the neighbour, too: its density is a matrix, of which filters that want a
  // diagonal take that.   Q = L diag(q) L^T,   L = d derivative / d torque
  Matrix<T, kStates> noise_density() const {
    Matrix<T, kStates, kBodies> directions;
    for (int body = 0; body < kBodies; ++body) {
      directions.col(body) = derivative(StateOf<ElasticJoint>::Zero(), InputOf<ElasticJoint>::Unit(body));
    }
    return directions * torque_noise.asDiagonal() * directions.transpose();
  }
  StateOf<ElasticJoint> spectral_density() const { return noise_density().diagonal(); }

  // Bound of the fastest motion: see TwoMassDrive. The mass matrix' inverse is at most that of its smallest eigenvalue.
  T fastest_rate() const {
    using std::sqrt;
    T inverse = T(1) / load_inertia, spring = stiffness, damper = damping + load_viscous;
    if constexpr (WithNeighbour) {
      const T determinant = load_inertia * neighbour_inertia - coupling_inertia * coupling_inertia;
      inverse = (load_inertia + neighbour_inertia) / determinant;
      spring = spring > neighbour_stiffness ? spring : neighbour_stiffness;
      const T at_neighbour = neighbour_damping + neighbour_viscous;
      damper = damper > at_neighbour ? damper : at_neighbour;
    }
    const T all = inverse + T(1) / (ratio * ratio * motor_inertia);
    const T decay = damper * all + motor_viscous / motor_inertia, oscillation = sqrt(T(spring * all));
    return decay > oscillation ? decay : oscillation;
  }

  template <class Self, class Visitor>
  static void visit_parameters(Self& self, Visitor&& visit) {
    visit_motor_and_transmission(self, visit);
    visit(ParameterInfo{"load", "inertia", "kg m^2", Range::positive(), "of the link about its joint"},
          self.load_inertia);
    visit_friction_of_link(self, visit);
    if constexpr (WithNeighbour) {
      visit(ParameterInfo{"neighbour", "coupling_inertia", "kg m^2", Range::any(), "between link and neighbour"},
            self.coupling_inertia);
      visit(ParameterInfo{"neighbour", "inertia", "kg m^2", Range::positive(), "of the neighbour's link"},
            self.neighbour_inertia);
      visit(ParameterInfo{"neighbour", "stiffness", "N m/rad", Range::positive(), "of the neighbour's joint"},
            self.neighbour_stiffness);
      visit(ParameterInfo{"neighbour", "damping", "N m s/rad", Range::not_negative(), "of the neighbour's joint"},
            self.neighbour_damping);
      visit(ParameterInfo{"neighbour", "viscous", "N m s/rad", Range::not_negative(), "friction of its link"},
            self.neighbour_viscous);
    }
  }
};

}  // namespace tauhat
