// A two-mass drive whose transmission torque follows a law: what `simulate` integrates and what shooting fits.
//   tau = law.torque(d, d', z),   d = q_m / N - q_l
#pragma once

#include <algorithm>
#include <array>
#include <cmath>

#include "tauhat/core/models/two_mass_drive.hpp"
#include "tauhat/core/transmission/dead_zone.hpp"

namespace tauhat {

template <class T, template <class> class Friction = CoulombAtan, template <class> class Law = DeadZone>
struct DriveWithLaw {
  using Scalar = T;
  using Drive = TwoMassDrive<T, Friction>;
  template <class S>
  using Rebind = DriveWithLaw<S, Friction, Law>;

  static constexpr int kInternal = Law<T>::kInternal;
  static constexpr int kStates = Drive::kStates + kInternal;
  enum State { motor_velocity = Drive::motor_velocity };
  enum Input { motor_torque, kInputs };
  static constexpr std::array<Signal, kInputs> kInputSignals{{{"motor.torque", "N m"}}};
  static constexpr auto kOutputs = Drive::kOutputs;

  Drive drive;
  Law<T> law;

  template <class S>
  Rebind<S> cast() const {
    return {drive.template cast<S>(), with_scalar<Law<S>>(law)};
  }

  T displacement(const StateOf<DriveWithLaw>& x) const {
    return x[Drive::motor_position] / drive.ratio - x[Drive::load_position];
  }
  T displacement_rate(const StateOf<DriveWithLaw>& x) const {
    return x[Drive::motor_velocity] / drive.ratio - x[Drive::load_velocity];
  }

  InputOf<Drive> drive_input(const StateOf<DriveWithLaw>& x, const InputOf<DriveWithLaw>& u) const {
    InputOf<Drive> all;
    all[Drive::motor_torque] = u[motor_torque];
    all[Drive::transmission_torque] =
        law.torque(displacement(x), displacement_rate(x), Vector<T, kInternal>(x.template tail<kInternal>()));
    return all;
  }

  StateOf<DriveWithLaw> derivative(const StateOf<DriveWithLaw>& x, const InputOf<DriveWithLaw>& u) const {
    StateOf<DriveWithLaw> dx;
    dx.template head<Drive::kStates>() = drive.derivative(x.template head<Drive::kStates>(), drive_input(x, u));
    if constexpr (kInternal > 0) {
      dx.template tail<kInternal>() = law.internal_derivative(displacement(x), displacement_rate(x),
                                                              Vector<T, kInternal>(x.template tail<kInternal>()));
    }
    return dx;
  }

  T output(int index, const StateOf<DriveWithLaw>& x, const InputOf<DriveWithLaw>& u) const {
    return drive.output(index, x.template head<Drive::kStates>(), drive_input(x, u));
  }

  StateOf<DriveWithLaw> spectral_density() const {
    StateOf<DriveWithLaw> density = StateOf<DriveWithLaw>::Zero();
    density.template head<Drive::kStates>() = drive.noise;
    return density;
  }

  T fastest_rate() const { return drive.fastest_rate(law.steepest_stiffness()); }
  T fastest_rate(const StateOf<DriveWithLaw>& x, const InputOf<DriveWithLaw>& u) const
    requires FasterUnderLoad<Drive>
  {
    return drive.fastest_rate(x.template head<Drive::kStates>(), drive_input(x, u), law.steepest_stiffness());
  }

  template <class Self, class Visitor>
  static void visit_parameters(Self& self, Visitor&& visit) {
    Drive::visit_parameters(self.drive, visit);
    Law<T>::visit_parameters(self.law, visit);
  }
};

}  // namespace tauhat
