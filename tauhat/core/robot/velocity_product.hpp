// How a body's force changes with its velocity, F = I A + Z x* I Z (Echeandia and Wensing 2021; Singh, Russell and
// Wensing 2022):  dF = I dA + 2 B dZ,  2 B = Z x* I + (I Z) x~* - I Z x. About one origin it has 12 numbers, and the
// bodies behind a joint add up:
//   2 B = [0, -2 p~; 0, S - l~],   S = w~ J + (w~ J)^T + 2 (v . mg) 1 - mg v^T - v mg^T,   p, l the momentum
#pragma once

#include "tauhat/core/robot/spatial.hpp"

namespace tauhat {

template <class T>
struct VelocityProduct {
  Vector<T, 3> twice_momentum;
  Matrix<T, 3> by_angular;  // S - l~

  VelocityProduct() = default;
  VelocityProduct(const SpatialInertia<T>& inertia, const Twist<T>& velocity, const Wrench<T>& momentum)
      : twice_momentum(T(2) * momentum.force) {
    const Vector<T, 3>&v = velocity.linear, &w = velocity.angular, &l = momentum.moment;
    Matrix<T, 3> half;  // w~ J - mg v^T
    for (int c = 0; c < 3; ++c) half.col(c) = w.cross(inertia.moment.col(c)) - inertia.first_moment * v[c];
    by_angular = half + half.transpose();
    by_angular.diagonal().array() += T(2) * v.dot(inertia.first_moment);
    by_angular(0, 1) += l[2], by_angular(1, 0) -= l[2];
    by_angular(1, 2) += l[0], by_angular(2, 1) -= l[0];
    by_angular(2, 0) += l[1], by_angular(0, 2) -= l[1];
  }

  VelocityProduct& operator+=(const VelocityProduct& other) {
    twice_momentum += other.twice_momentum;
    by_angular += other.by_angular;
    return *this;
  }

  // 2 B z
  Wrench<T> operator*(const Twist<T>& z) const { return {z.angular.cross(twice_momentum), by_angular * z.angular}; }
  // The angular part of (2 B)^T z; its linear part is zero.
  Vector<T, 3> transposed(const Twist<T>& z) const {
    return twice_momentum.cross(z.linear) + by_angular.transpose() * z.angular;
  }
};

}  // namespace tauhat
