// Joints that rest, as far as friction can tell. Within its width Coulomb friction takes any torque up to its level
// without motion: nobody can tell it from a force of the environment, and an estimate there is worth no more than that.
#pragma once

#include <cmath>
#include <cstdint>

#include "tauhat/core/robot/joint_friction.hpp"

namespace tauhat {

template <class T, int Joints>
class RestingJoints {
 public:
  RestingJoints() = default;
  RestingJoints(const JointFriction<T, Joints>& friction, const JointVector<T, Joints>& actuator_velocity) noexcept {
    for (int i = 0; i < friction.joints(); ++i) {
      const bool rests = friction.breakaway(i) > T(0) && std::abs(actuator_velocity[i]) < friction.width;
      if (rests) bits_ = static_cast<std::uint8_t>(bits_ | (1U << static_cast<unsigned>(i)));
    }
  }

  bool any() const noexcept { return bits_ != 0; }
  bool operator[](int joint) const noexcept { return ((bits_ >> static_cast<unsigned>(joint)) & 1U) != 0; }

  // Variance of what friction hides, seen by the joints:  C^T diag(breakaway^2 where at rest) C.
  JointMatrix<T, Joints> hidden_torque(const Transmission<T, Joints>& transmission,
                                       const JointFriction<T, Joints>& friction) const noexcept {
    JointVector<T, Joints> variance = JointVector<T, Joints>::Zero(friction.joints());
    for (int i = 0; i < friction.joints(); ++i) {
      if ((*this)[i]) variance[i] = friction.breakaway(i) * friction.breakaway(i);
    }
    const JointMatrix<T, Joints> scaled = variance.asDiagonal() * transmission.coupling();
    return transmission.coupling().transpose().lazyProduct(scaled);
  }

 private:
  static_assert(kMaxJoints <= 8);
  std::uint8_t bits_ = 0;  // one for each joint
};

}  // namespace tauhat
