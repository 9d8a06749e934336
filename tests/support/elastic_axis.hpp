// The models of one axis of a robot as they are printed in the comparison of its observers, state by state: an
// independent second writing of core/models/elastic_joint.hpp, with the numbers of one axis.
#pragma once

#include <numbers>

#include "tauhat/core/linear/hold.hpp"
#include "tauhat/core/linear/poles.hpp"
#include "tauhat/core/models/elastic_joint.hpp"

namespace tauhat::elastic_axis {

inline constexpr double kPeriod = 400e-6;
inline constexpr double kRatio = 120.0, kMotorInertia = 7e-4, kMotorViscous = 0.008, kTorqueConstant = 0.35;
inline constexpr double kM22 = 14.3854, kM23 = 3.4358, kM33 = 2.7927, kDet = kM22 * kM33 - kM23 * kM23;
inline constexpr double kK2 = 1.2e5, kK3 = 3e4, kDamping2 = 80.0, kDamping3 = 12.0, kViscous2 = 2.0, kViscous3 = 0.5;
inline constexpr double kB2 = kViscous2 + kDamping2, kB3 = kViscous3 + kDamping3;

// x+ = A x + B u + disturbance, y = C x: the current u is held.
template <int N>
struct Axis {
  Matrix<double, N> continuous, a;
  Vector<double, N> continuous_input, b;
  Matrix<double, 1, N> c;

  Axis(const Matrix<double, N>& dynamics, const Vector<double, N>& input, const Matrix<double, 1, N>& output)
      : continuous(dynamics), continuous_input(input), c(output) {
    const auto sampled = held<double, N, 1>(dynamics, input, kPeriod);
    a = sampled.transition, b = sampled.by_input;
  }
};

inline Vector<double, 4> motor_row() {
  return {kDamping2 / (kRatio * kMotorInertia), -(kMotorViscous + kDamping2 / (kRatio * kRatio)) / kMotorInertia,
          kK2 / (kRatio * kMotorInertia), -kK2 / (kRatio * kRatio * kMotorInertia)};
}

// [v2 v3 vm q2 q3 qm]
inline Axis<6> six() {
  const Vector<double, 4> m = motor_row();
  Matrix<double, 6> a = Matrix<double, 6>::Zero();
  a.row(0) << -kM33 * kB2, kM23 * kB3, kM33 * kDamping2 / kRatio, -kM33 * kK2, kM23 * kK3, kM33 * kK2 / kRatio;
  a.row(1) << kM23 * kB2, -kM22 * kB3, -kM23 * kDamping2 / kRatio, kM23 * kK2, -kM22 * kK3, -kM23 * kK2 / kRatio;
  a.topRows<2>() /= kDet;
  a.row(2) << m[0], 0.0, m[1], m[2], 0.0, m[3];
  a.bottomLeftCorner<3, 3>().setIdentity();
  return {a, Vector<double, 6>::Unit(2) * (kTorqueConstant / kMotorInertia), Matrix<double, 1, 6>::Unit(5)};
}

// [v2 vm q2 qm]
inline Axis<4> four() {
  Matrix<double, 4> a = Matrix<double, 4>::Zero();
  a.row(0) << -kB2 / kM22, kDamping2 / kRatio / kM22, -kK2 / kM22, kK2 / kRatio / kM22;
  a.row(1) = motor_row();
  a(2, 0) = a(3, 1) = 1.0;
  return {a, Vector<double, 4>::Unit(1) * (kTorqueConstant / kMotorInertia), Matrix<double, 1, 4>::Unit(3)};
}

// States added after the others, which they drive through a column each.
template <int More, int N>
Axis<N + More> extended(const Axis<N>& axis, const Matrix<double, N, More>& columns, const Matrix<double, More>& own) {
  Matrix<double, N + More> a = Matrix<double, N + More>::Zero();
  a.template topLeftCorner<N, N>() = axis.continuous;
  a.template topRightCorner<N, More>() = columns;
  a.template bottomRightCorner<More, More>() = own;
  Vector<double, N + More> b = Vector<double, N + More>::Zero();
  b.template head<N>() = axis.continuous_input;
  Matrix<double, 1, N + More> c = Matrix<double, 1, N + More>::Zero();
  c.template head<N>() = axis.c;
  return {a, b, c};
}

// Four and the torque at the link.
inline Axis<5> five() { return extended<1, 4>(four(), Vector<double, 4>::Unit(0) / -kM22, Matrix<double, 1>::Zero()); }

// Four and a torque that swings about a constant: [tau tau' x7].
inline Axis<7> seven(double frequency = 20.0, double damping = 0.2) {
  const double rate = 2.0 * std::numbers::pi * frequency;
  Matrix<double, 4, 3> columns = Matrix<double, 4, 3>::Zero();
  columns(0, 0) = -1.0 / kM22;
  Matrix<double, 3> own = Matrix<double, 3>::Zero();
  own(0, 1) = 1.0;
  own.row(1) << -rate * rate, -2.0 * damping * rate, rate * rate;
  return extended<3, 4>(four(), columns, own);
}

// Six and a disturbance at the motor that leaks.
inline Axis<7> six_and_disturbance(double leak = 2.0 * std::numbers::pi * 0.2) {
  return extended<1, 6>(six(), Vector<double, 6>::Unit(2) / -kMotorInertia, Matrix<double, 1>(-leak));
}

// What a torque against the second link does to [v2 v3 ...].
inline Vector<double, 6> against_the_link() {
  Vector<double, 6> direction = Vector<double, 6>::Zero();
  direction.head<2>() << -kM33 / kDet, kM23 / kDet;
  return direction;
}

// Six with integrators at the motor and at the link: one too many.
inline Axis<8> six_and_two_integrators() {
  Matrix<double, 6, 2> columns;
  columns << Vector<double, 6>::Unit(2) / -kMotorInertia, against_the_link();
  return extended<2, 6>(six(), columns, Matrix<double, 2>::Zero());
}

// Pairs, of damping 0.9.
inline Poles<double, 6> six_poles(double first, double second, double third) {
  return ContinuousPoles<double, 6>().pair(first, 0.9).pair(second, 0.9).pair(third, 0.9).sampled(kPeriod);
}

}  // namespace tauhat::elastic_axis
