// Where a frame is: its axes (the rotation's columns) and its origin, in another frame.
#pragma once

#include <cmath>

#include "tauhat/core/math/autodiff.hpp"
#include "tauhat/core/math/matrix.hpp"

namespace tauhat {

template <class T>
struct Placement {
  Matrix<T, 3> rotation = Matrix<T, 3>::Identity();
  Vector<T, 3> translation = Vector<T, 3>::Zero();

  template <class S>
  Placement<S> cast() const {
    return {rotation.template cast<S>(), translation.template cast<S>()};
  }

  // Placed in this frame, which is placed itself.
  friend Placement operator*(const Placement& outer, const Placement& inner) {
    return {outer.rotation * inner.rotation, outer.translation + outer.rotation * inner.translation};
  }
};

template <class T>
Matrix<T, 3> rotation_about_x(T angle) {
  using std::cos, std::sin;
  const T c = cos(angle), s = sin(angle);
  return (Matrix<T, 3>() << T(1), T(0), T(0), T(0), c, -s, T(0), s, c).finished();
}
template <class T>
Matrix<T, 3> rotation_about_y(T angle) {
  using std::cos, std::sin;
  const T c = cos(angle), s = sin(angle);
  return (Matrix<T, 3>() << c, T(0), s, T(0), T(1), T(0), -s, T(0), c).finished();
}
template <class T>
Matrix<T, 3> rotation_about_z(T angle) {
  using std::cos, std::sin;
  const T c = cos(angle), s = sin(angle);
  return (Matrix<T, 3>() << c, -s, T(0), s, c, T(0), T(0), T(0), T(1)).finished();
}

// One row of a modified Denavit-Hartenberg table (Khalil and Dombre 2002, ch. 3): Rx(alpha) Tx(a) Rz(theta) Tz(d).
// The joint turns about, or slides along, z; its variable is added to theta or d.
template <class T>
struct ModifiedDh {
  T alpha, a, d, theta;

  Placement<T> placement() const {
    const Matrix<T, 3> tilted = rotation_about_x(alpha);
    return {tilted * rotation_about_z(theta), Vector<T, 3>(a, T(0), T(0)) + tilted.col(2) * d};
  }
};

// An <origin xyz rpy> of a URDF: fixed axes x, y, z in this order.
template <class T>
Placement<T> placement_of_origin(const Vector<T, 3>& xyz, const Vector<T, 3>& roll_pitch_yaw) {
  return {
      rotation_about_z(roll_pitch_yaw[2]) * rotation_about_y(roll_pitch_yaw[1]) * rotation_about_x(roll_pitch_yaw[0]),
      xyz};
}

}  // namespace tauhat
