// Friction of a robot's actuators by a law with a memory: contacts bend before they slide, by up to `reach`.
//   Dahl           stiffness = coulomb / reach
//   LuGre          bristle_stiffness = coulomb / reach, breakaway = coulomb + excess, stribeck_velocity = 1 / decay;
//                  bristles without damping: what a robot's log is filtered to does not show it
//   Maxwell-slip   springs of equal levels that yield at 1/4, 2/4, 3/4 and all of the reach
// All are linear in (coulomb, excess) together at one ratio of the two. Offset and asymmetry are those of
// joint_friction.hpp. A joint without a reach, or without Coulomb friction, slides as if it had no memory.
#pragma once

#include "tauhat/core/friction/memory_after.hpp"
#include "tauhat/core/robot/joint_friction.hpp"

namespace tauhat {

inline constexpr int kFrictionSprings = MaxwellSlip<double>::kMemory;  // the most that a law has

// rad: how far each joint's contact is bent, a column for each actuator. Zero: nobody has touched it.
template <class T, int Joints>
using FrictionMemory =
    Eigen::Matrix<T, kFrictionSprings, Joints, Eigen::ColMajor, kFrictionSprings, kJointBound<Joints>>;

template <class T, int Joints>
FrictionMemory<T, Joints> no_memory(const JointFriction<T, Joints>& friction) noexcept {
  return FrictionMemory<T, Joints>::Zero(kFrictionSprings, friction.joints());
}

template <class T, int Joints>
bool bends(const JointFriction<T, Joints>& friction, int i) noexcept {
  return has_memory(friction.law) && friction.reach[i] > T(0) && friction.coulomb[i] > T(0);
}

template <class T, int Joints>
bool bends_anywhere(const JointFriction<T, Joints>& friction) noexcept {
  for (int i = 0; i < friction.joints(); ++i)
    if (bends(friction, i)) return true;
  return false;
}

// Calls `visit` with the law of a joint that bends.
template <class T, int Joints, class Visit>
auto with_bristles(const JointFriction<T, Joints>& friction, int i, Visit&& visit) noexcept {
  const T coulomb = friction.coulomb[i], reach = friction.reach[i], viscous = friction.viscous[i];
  if (friction.law == SlidingLaw::lugre) {
    return visit(LuGre<T>{.bristle_stiffness = coulomb / reach,
                          .bristle_damping = T(0),
                          .viscous = viscous,
                          .coulomb = coulomb,
                          .breakaway = coulomb + friction.excess[i],
                          .stribeck_velocity = T(1) / friction.decay[i]});
  }
  if (friction.law == SlidingLaw::maxwell_slip) {
    MaxwellSlip<T> law;
    law.viscous = viscous;
    law.level.setConstant(coulomb / T(kFrictionSprings));
    for (int k = 0; k < kFrictionSprings; ++k) law.stiffness[k] = coulomb / (reach * static_cast<T>(k + 1));
    return visit(law);
  }
  return visit(Dahl<T>{.coulomb = coulomb, .stiffness = coulomb / reach, .viscous = viscous});
}

// Of each actuator. What is bent stays so for the moment: the slope is that of the rest.
template <class T, int Joints>
TorqueAndSlope<JointVector<T, Joints>> torque_and_slope(const JointFriction<T, Joints>& friction,
                                                        const JointVector<T, Joints>& velocity,
                                                        const FrictionMemory<T, Joints>& memory) noexcept {
  TorqueAndSlope<JointVector<T, Joints>> all = friction.torque_and_slope(velocity);
  for (int i = 0; i < friction.joints(); ++i) {
    if (!bends(friction, i)) continue;
    const TorqueAndSlope<T> sliding = friction.sliding(i, velocity[i]);
    const T bent = with_bristles(friction, i, [&]<class L>(const L& law) {
      return law.torque(velocity[i], memory.col(i).template head<L::kMemory>());
    });
    all.torque[i] += bent - sliding.torque;
    all.slope[i] += friction.viscous[i] - sliding.slope;
  }
  return all;
}

// After a time at these velocities.
template <class T, int Joints>
FrictionMemory<T, Joints> memory_after(const JointFriction<T, Joints>& friction, const JointVector<T, Joints>& velocity,
                                       FrictionMemory<T, Joints> memory, T time) noexcept {
  for (int i = 0; i < friction.joints(); ++i) {
    if (!bends(friction, i)) continue;
    with_bristles(friction, i, [&]<class L>(const L& law) {
      const Vector<T, L::kMemory> before = memory.col(i).template head<L::kMemory>();
      memory.col(i).template head<L::kMemory>() = memory_after(law, velocity[i], before, time);
      return 0;
    });
  }
  return memory;
}

}  // namespace tauhat
