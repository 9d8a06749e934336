// Between motors and joints: gear ratios, and wrists whose motors move more than one joint.
//   q_motor = diag(ratio) C q,   tau = C^T diag(ratio) tau_motor
// C, the coupling, has a unit diagonal; on a Staubli's wrist C(6, 5) = 1, since motor 6 has to follow joint 5. What
// belongs to an actuator, its inertia and friction, moves with C q' and acts through C^T.
#pragma once

#include "tauhat/core/robot/sizes.hpp"

namespace tauhat {

template <class T, int Joints>
class Transmission {
 public:
  using Vector = JointVector<T, Joints>;
  using Matrix = JointMatrix<T, Joints>;

  Transmission() : Transmission(kJointBound<Joints>) {}
  explicit Transmission(int joints) : ratio_(Vector::Ones(joints)), coupling_(Matrix::Identity(joints, joints)) {}
  Transmission(const Vector& ratio, const Matrix& coupling)
      : ratio_(ratio),
        coupling_(coupling),
        is_coupled_(!(coupling.array() == Matrix::Identity(ratio.size(), ratio.size()).array()).all()) {}

  const Vector& ratio() const noexcept { return ratio_; }
  const Matrix& coupling() const noexcept { return coupling_; }
  bool is_coupled() const noexcept { return is_coupled_; }

  // Joint positions, velocities or accelerations seen by the actuators, at the output side of their gears; and torques
  // that the actuators exert there, seen by the joints.
  Vector actuator_motion(const Vector& joint) const {
    return is_coupled_ ? Vector(coupling_.lazyProduct(joint)) : joint;
  }
  Vector joint_torque(const Vector& actuator) const {
    return is_coupled_ ? Vector(coupling_.transpose().lazyProduct(actuator)) : actuator;
  }

  Vector motor_motion(const Vector& joint) const { return ratio_.cwiseProduct(actuator_motion(joint)); }
  Vector joint_torque_of_motors(const Vector& motor) const { return joint_torque(ratio_.cwiseProduct(motor)); }

 private:
  Vector ratio_;
  Matrix coupling_;
  bool is_coupled_ = false;
};

}  // namespace tauhat
