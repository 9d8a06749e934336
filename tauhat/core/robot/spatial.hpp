// Rigid-body vectors about one point, the world's origin, in world axes (Cuadrado et al. 2009, "Real-time multibody
// dynamics and applications"; Featherstone 2008, ch. 2). With one point for all bodies their velocities, momenta and
// inertias simply add.
//   twist   Z = [s'; w]   velocity of the body's point at the origin, angular velocity
//   wrench  F = [f; n]    force, moment about the origin
#pragma once

#include <Eigen/Geometry>

#include "tauhat/core/math/matrix.hpp"

namespace tauhat {

template <class T>
struct Twist {
  Vector<T, 3> linear, angular;

  static Twist zero() { return {Vector<T, 3>::Zero(), Vector<T, 3>::Zero()}; }

  Twist& operator+=(const Twist& other) {
    linear += other.linear;
    angular += other.angular;
    return *this;
  }
  friend Twist operator+(Twist a, const Twist& b) { return a += b; }
  friend Twist operator*(const Twist& a, const T& rate) { return {a.linear * rate, a.angular * rate}; }

  // Velocity of the body's point that is now at `position`.
  Vector<T, 3> at(const Vector<T, 3>& position) const { return linear + angular.cross(position); }
};

template <class T>
struct Wrench {
  Vector<T, 3> force, moment;

  static Wrench zero() { return {Vector<T, 3>::Zero(), Vector<T, 3>::Zero()}; }

  Wrench& operator+=(const Wrench& other) {
    force += other.force;
    moment += other.moment;
    return *this;
  }
  friend Wrench operator+(Wrench a, const Wrench& b) { return a += b; }
  friend Wrench operator*(const Wrench& a, const T& factor) { return {a.force * factor, a.moment * factor}; }
};

// Power of a wrench along a twist.
template <class T>
T dot(const Twist<T>& z, const Wrench<T>& f) {
  return z.linear.dot(f.force) + z.angular.dot(f.moment);
}

// How a twist that is fixed in a body changes as the body moves with z.
template <class T>
Twist<T> cross(const Twist<T>& z, const Twist<T>& fixed) {
  return {z.angular.cross(fixed.linear) + z.linear.cross(fixed.angular), z.angular.cross(fixed.angular)};
}

// The same of a wrench.
template <class T>
Wrench<T> cross(const Twist<T>& z, const Wrench<T>& fixed) {
  return {z.angular.cross(fixed.force), z.angular.cross(fixed.moment) + z.linear.cross(fixed.force)};
}

// I = [m 1, -mg~; mg~, J]: mass, first moment m g and moment of inertia about the world's origin. Bodies that move as
// one add up.
template <class T>
struct SpatialInertia {
  T mass;
  Vector<T, 3> first_moment;
  Matrix<T, 3> moment;

  SpatialInertia& operator+=(const SpatialInertia& other) {
    mass += other.mass;
    first_moment += other.first_moment;
    moment += other.moment;
    return *this;
  }

  Wrench<T> operator*(const Twist<T>& z) const {
    return {mass * z.linear + z.angular.cross(first_moment), first_moment.cross(z.linear) + moment * z.angular};
  }
};

}  // namespace tauhat
