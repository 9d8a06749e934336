// Friction of a robot's actuators by a law of core/friction, and what differs between the directions: of the Coulomb
// friction an offset, which stands for a torque sensor's zero, too; of the viscous one an asymmetry.
//   tau_f = offset + law(w) + asymmetry w tanh(w / width)
// with w = C v: what belongs to an actuator moves with it. Without an excess every law is Coulomb and viscous friction,
// smoothed over `width`. Of a law with a memory this is what is left when nobody follows the memory:
// friction_memory.hpp does, as far as a joint has a reach; what grows with the load is in friction_under_load.hpp. Seen
// by the joints it is C^T tau_f, as transmission.hpp says; without a coupling both are the same.
#pragma once

#include <array>
#include <string_view>

#include "tauhat/core/friction/coulomb_tanh.hpp"
#include "tauhat/core/friction/dahl.hpp"
#include "tauhat/core/friction/exponential.hpp"
#include "tauhat/core/friction/hyperbolic.hpp"
#include "tauhat/core/friction/lugre.hpp"
#include "tauhat/core/friction/maxwell_slip.hpp"
#include "tauhat/core/friction/stribeck.hpp"
#include "tauhat/core/robot/transmission.hpp"

namespace tauhat {

// How the friction of a joint depends on its speed; and, by the last three, on where it was.
enum class SlidingLaw { coulomb, exponential, stribeck, hyperbolic, dahl, lugre, maxwell_slip };
inline constexpr std::array<std::string_view, 7> kSlidingLaws{
    CoulombTanh<double>::kName, Exponential<double>::kName, Stribeck<double>::kName,   Hyperbolic<double>::kName,
    Dahl<double>::kName,        LuGre<double>::kName,       MaxwellSlip<double>::kName};

constexpr bool has_memory(SlidingLaw law) noexcept {
  return law == SlidingLaw::dahl || law == SlidingLaw::lugre || law == SlidingLaw::maxwell_slip;
}
// Whether its level falls with speed.
constexpr bool has_excess(SlidingLaw law) noexcept {
  return law == SlidingLaw::exponential || law == SlidingLaw::stribeck || law == SlidingLaw::hyperbolic ||
         law == SlidingLaw::lugre;
}

inline constexpr double kUsualDecay = 10.0;  // s/rad, where nobody gives one

template <class T, int Joints>
struct JointFriction {
  using Vector = JointVector<T, Joints>;
  using Matrix = JointMatrix<T, Joints>;

  Vector viscous, coulomb, offset, asymmetry;  // N m s/rad, N m, N m, N m s/rad
  Vector excess, decay;                        // N m: at standstill, above coulomb; s/rad: how fast it falls with speed
  Vector reach;                 // rad: coulomb over the stiffness of a contact that bends; 0: it does not
  Vector load;                  // 1: friction per torque passed on
  T width = constant<T>(0.05);  // rad/s
  SlidingLaw law = SlidingLaw::coulomb;

  JointFriction() : JointFriction(Joints == Eigen::Dynamic ? 0 : Joints) {}
  explicit JointFriction(int joints)
      : viscous(Vector::Zero(joints)),
        coulomb(Vector::Zero(joints)),
        offset(Vector::Zero(joints)),
        asymmetry(Vector::Zero(joints)),
        excess(Vector::Zero(joints)),
        decay(Vector::Constant(joints, constant<T>(kUsualDecay))),
        reach(Vector::Zero(joints)),
        load(Vector::Zero(joints)) {}

  int joints() const noexcept { return static_cast<int>(viscous.size()); }

  // Of each actuator at its own velocity.
  Vector torque(const Vector& velocity) const noexcept { return torque_and_slope(velocity).torque; }
  Vector slope(const Vector& velocity) const noexcept { return torque_and_slope(velocity).slope; }

  TorqueAndSlope<Vector> torque_and_slope(const Vector& velocity) const noexcept {
    TorqueAndSlope<Vector> friction{offset, Vector::Zero(joints())};
    for (int i = 0; i < joints(); ++i) {
      const TorqueAndSlope<T> of_joint = sliding(i, velocity[i]);
      friction.torque[i] += of_joint.torque;
      friction.slope[i] += of_joint.slope;
      if (asymmetry[i] == T(0)) continue;
      const SignAndSlope<T> sign = smooth_sign(velocity[i], width);
      friction.torque[i] += asymmetry[i] * velocity[i] * sign.value;
      friction.slope[i] += asymmetry[i] * (velocity[i] * sign.slope + sign.value);
    }
    return friction;
  }

  // What friction can take without motion: the level of a joint that rests.
  T breakaway(int i) const noexcept {
    const bool rises = has_excess(law) && excess[i] > T(0);
    return rises ? T(coulomb[i] + excess[i]) : coulomb[i];
  }

  // What the law gives, without offset and asymmetry.
  TorqueAndSlope<T> sliding(int i, const T& velocity) const noexcept {
    switch (law) {
      case SlidingLaw::exponential:
        return falling<Exponential<T>>(i).torque_and_slope(velocity);
      case SlidingLaw::hyperbolic:
        return falling<Hyperbolic<T>>(i).torque_and_slope(velocity);
      case SlidingLaw::stribeck:
      case SlidingLaw::lugre:
        return Stribeck<T>{.coulomb = coulomb[i],
                           .viscous = viscous[i],
                           .width = width,
                           .breakaway = coulomb[i] + excess[i],
                           .stribeck_velocity = T(1) / decay[i]}
            .torque_and_slope(velocity);
      case SlidingLaw::coulomb:
      case SlidingLaw::dahl:
      case SlidingLaw::maxwell_slip:
        break;
    }
    return CoulombTanh<T>{.coulomb = coulomb[i], .viscous = viscous[i], .width = width}.torque_and_slope(velocity);
  }

  template <class S, int Count = Joints>
  JointFriction<S, Count> cast() const {
    JointFriction<S, Count> other(joints());
    other.viscous = viscous.template cast<S>();
    other.coulomb = coulomb.template cast<S>();
    other.offset = offset.template cast<S>();
    other.asymmetry = asymmetry.template cast<S>();
    other.excess = excess.template cast<S>();
    other.decay = decay.template cast<S>();
    other.reach = reach.template cast<S>();
    other.load = load.template cast<S>();
    other.width = static_cast<S>(width);
    other.law = law;
    return other;
  }

 private:
  template <class Law>
  Law falling(int i) const noexcept {
    return {.coulomb = coulomb[i], .excess = excess[i], .decay = decay[i], .viscous = viscous[i], .width = width};
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
