// Friction of a robot's actuators: viscous, Coulomb smoothed over `width`, and what differs between the directions: of
// the Coulomb friction an offset, which stands for a torque sensor's zero, too; of the viscous one an asymmetry.
//   tau_f = offset + viscous w + (coulomb + asymmetry w) tanh(w / width)
// with w = C v: what belongs to an actuator moves with it.
// Seen by the joints it is C^T tau_f, as transmission.hpp says; without a coupling both are the same.
#pragma once

#include "tauhat/core/friction/friction_law.hpp"
#include "tauhat/core/robot/transmission.hpp"

namespace tauhat {

template <class T, int Joints>
struct JointFriction {
  using Vector = JointVector<T, Joints>;
  using Matrix = JointMatrix<T, Joints>;

  Vector viscous, coulomb, offset, asymmetry;  // N m s/rad, N m, N m, N m s/rad
  T width = constant<T>(0.05);                 // rad/s

  JointFriction() : JointFriction(Joints == Eigen::Dynamic ? 0 : Joints) {}
  explicit JointFriction(int joints)
      : viscous(Vector::Zero(joints)),
        coulomb(Vector::Zero(joints)),
        offset(Vector::Zero(joints)),
        asymmetry(Vector::Zero(joints)) {}

  int joints() const noexcept { return static_cast<int>(viscous.size()); }

  // Of each actuator at its own velocity.
  Vector torque(const Vector& velocity) const noexcept { return torque_and_slope(velocity).torque; }
  Vector slope(const Vector& velocity) const noexcept { return torque_and_slope(velocity).slope; }

  TorqueAndSlope<Vector> torque_and_slope(const Vector& velocity) const noexcept {
    TorqueAndSlope<Vector> friction{offset + viscous.cwiseProduct(velocity), viscous};
    for (int i = 0; i < joints(); ++i) {
      const SignAndSlope<T> sign = smooth_sign(velocity[i], width);
      const T sliding = coulomb[i] + asymmetry[i] * velocity[i];
      friction.torque[i] += sliding * sign.value;
      friction.slope[i] += sliding * sign.slope + asymmetry[i] * sign.value;
    }
    return friction;
  }

  template <class S, int Count = Joints>
  JointFriction<S, Count> cast() const {
    JointFriction<S, Count> other(joints());
    other.viscous = viscous.template cast<S>();
    other.coulomb = coulomb.template cast<S>();
    other.offset = offset.template cast<S>();
    other.asymmetry = asymmetry.template cast<S>();
    other.width = static_cast<S>(width);
    return other;
  }
};

// What friction takes from the joints: C^T tau_f(C v).
template <class T, int Joints>
inline JointVector<T, Joints> friction_torque(const Transmission<T, Joints>& transmission,
                                              const JointFriction<T, Joints>& friction,
                                              const JointVector<T, Joints>& velocity) noexcept {
  return transmission.joint_torque(friction.torque(transmission.actuator_motion(velocity)));
}

}  // namespace tauhat
