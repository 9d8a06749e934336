// An elastic joint as it is in a robot: LuGre friction at the motor, gravity at the link. What `simulate` integrates.
//   the joint's motor torque = u - tau_f(w_m, z, tau / N),   its load torque = gravity(q_l)
#pragma once

#include "tauhat/core/friction/mesh_lugre.hpp"
#include "tauhat/core/models/elastic_joint.hpp"
#include "tauhat/core/models/gravity_torque.hpp"

namespace tauhat {

template <class T>
struct ElasticAxis {
  using Scalar = T;
  template <class S>
  using Rebind = ElasticAxis<S>;
  using Joint = ElasticJoint<T>;

  static constexpr int kStates = Joint::kStates + 1, kBristle = Joint::kStates;
  enum Input { motor_torque, kInputs };
  static constexpr auto kOutputs = Joint::kOutputs;

  Joint joint;
  MeshLuGre<T> friction;
  bool has_friction = false;
  GravityTorque<T> gravity;

  Vector<T, kStates> derivative(const Vector<T, kStates>& x, const Vector<T, kInputs>& u) const {
    const T z = x[kBristle], velocity = x[Joint::motor_velocity];
    const T passed_on = joint.joint_torque(joint_state(x)) / joint.ratio;
    Vector<T, kStates> dx;
    InputOf<Joint> acting = joint_input(x, u);
    dx[kBristle] = T(0);
    if (has_friction) {
      acting[Joint::motor_torque] -= friction.torque(velocity, z, passed_on);
      dx[kBristle] = friction.memory_rate(velocity, z, passed_on);
    }
    dx.template head<Joint::kStates>() = joint.derivative(joint_state(x), acting);
    return dx;
  }

  T output(int index, const Vector<T, kStates>& x, const Vector<T, kInputs>& u) const {
    return joint.output(index, joint_state(x), joint_input(x, u));
  }

  Vector<T, kStates> spectral_density() const { return Vector<T, kStates>::Zero(); }
  T fastest_rate() const { return joint.fastest_rate(); }

  template <class S>
  Rebind<S> cast() const {
    return {joint.template cast<S>(), friction.template cast<S>(), has_friction,
            with_scalar<GravityTorque<S>>(gravity)};
  }

 private:
  static StateOf<Joint> joint_state(const Vector<T, kStates>& x) { return x.template head<Joint::kStates>(); }
  InputOf<Joint> joint_input(const Vector<T, kStates>& x, const Vector<T, kInputs>& u) const {
    InputOf<Joint> all = InputOf<Joint>::Zero();
    all[Joint::motor_torque] = u[motor_torque];
    all[Joint::load_torque] = gravity.torque(x[Joint::load_position]);
    return all;
  }
};

}  // namespace tauhat
