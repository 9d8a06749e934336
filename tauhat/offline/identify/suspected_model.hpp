// A drive with what its model may lack, all of it absent: only the derivatives by the missing terms count, which say
// what the sensors would have shown had they been there.
#pragma once

#include <array>
#include <cmath>
#include <string_view>

#include "tauhat/offline/identify/shooting.hpp"

namespace tauhat {

// A friction law, and the bump of Stribeck at low speed that it may lack:
//   tau_f(w) = law(w) + bump sign(w) exp(-|w| / speed)
template <class T>
struct SuspectedFriction {
  using Scalar = T;
  static constexpr std::string_view kName = "suspected";
  static constexpr bool kOdd = false;
  AnyFriction<T> law;
  T bump = T(0);
  double speed = 1.0;

  template <class S>
  SuspectedFriction<S> cast() const {
    return {law.template cast<S>(), static_cast<S>(bump), speed};
  }

  // Its shape is not differentiated: the bump is zero.
  T extra(const T& velocity) const {
    const double w = plain(velocity);
    return bump * T(std::copysign(std::exp(-std::abs(w) / speed), w));
  }

  T torque(const T& velocity) const { return law.torque(velocity) + extra(velocity); }
  T torque(const T& velocity, const T& load) const { return law.torque(velocity, load) + extra(velocity); }
  TorqueAndSlope<T> torque_and_slope(const T& velocity) const { return law.torque_and_slope(velocity); }
  TorqueUnderLoad<T> torque_and_slope(const T& velocity, const T& load) const {
    return law.torque_and_slope(velocity, load);
  }
  T steepest_slope() const { return law.steepest_slope(); }
  T steepest_slope(const T& load) const { return law.steepest_slope(load); }
  T steepest_by_load() const { return law.steepest_by_load(); }
  T smoothing_width() const { return law.smoothing_width(); }

  template <class Self, class Visitor>
  static void visit_parameters(Self& self, Visitor&& visit, std::string_view group = "friction") {
    AnyFriction<T>::visit_parameters(self.law, visit, group);
  }
};

// A dead zone, and what its flanks may lack: s the spring's torque, b the distance into the flank
//   tau = s + hysteresis |s| sign(d') + corner k w / 4 (1 - |b| / w)^2 (|b| < w) + hardening s |s| / largest
template <class T>
struct SuspectedDeadZone {
  using Scalar = T;
  static constexpr std::string_view kName = "suspected";
  static constexpr int kInternal = 0;
  DeadZone<T> spring;
  T hysteresis = T(0), corner = T(0), hardening = T(0);
  double corner_width = 1.0;    // rad, half of the corner's
  double largest_torque = 1.0;  // N m

  // Their shapes are not differentiated: they are zero.
  template <class Z>
  T torque(const T& displacement, const T& rate, const Z& z) const {
    const T elastic = spring.torque(displacement, rate, z);
    const double s = plain(elastic), x = plain(displacement) - plain(spring.offset), half = 0.5 * plain(spring.gap);
    return elastic + hysteresis * T(std::copysign(std::abs(s), plain(rate))) +
           corner * T(rounded(x - half) - rounded(-x - half)) + hardening * T(s * std::abs(s) / largest_torque);
  }

  template <class Z>
  Vector<T, 0> internal_derivative(const T&, const T&, const Z&) const {
    return {};
  }

  T steepest_stiffness() const { return spring.steepest_stiffness(); }
  std::array<T, 2> kinks() const { return spring.kinks(); }

  template <class Self, class Visitor>
  static void visit_parameters(Self& self, Visitor&& visit) {
    DeadZone<T>::visit_parameters(self.spring, visit);
  }

 private:
  // What a parabolic corner adds to the sharp one (core/transmission/soft_dead_zone.hpp).
  double rounded(double depth) const {
    const double share = std::max(1.0 - std::abs(depth) / corner_width, 0.0);
    return plain(spring.steepest_stiffness()) * corner_width / 4.0 * share * share;
  }
};

template <class T>
using SuspectedDrive = DriveWithLaw<T, SuspectedFriction, SuspectedDeadZone>;

// The shapes of what may be missing.
struct SuspectedShapes {
  double bump_speed = 1.0;      // rad/s, at the motor
  double corner_width = 1.0;    // rad
  double largest_torque = 1.0;  // N m, of the transmission
};

// Entries of a ShootingParameter, beside its own.
enum SuspectedEntry : int { kBump = -11, kHysteresis = -12, kCorner = -13, kHardening = -14 };

}  // namespace tauhat
