// The ten standard inertial parameters of a link, about its joint's frame and in its axes: the torque is linear in them
// (Khalil and Dombre 2002, ch. 9).
//   mass m,  first moment m c,  moment of inertia J about the frame's origin (not about the centre of mass)
#pragma once

#include "tauhat/core/robot/placement.hpp"
#include "tauhat/core/robot/sizes.hpp"
#include "tauhat/core/robot/spatial.hpp"

namespace tauhat {

// J_O = J_c + m (c^2 1 - c c^T), written for the shift by `offset` of a body with any first moment m g:
//   about o + offset:  J + 2 (o . h) 1 - o h^T - h o^T,   h = m g + m o / 2.
template <class T>
Matrix<T, 3> shifted_moment(const Matrix<T, 3>& moment, const Vector<T, 3>& first_moment, const T& mass,
                            const Vector<T, 3>& offset) {
  const Vector<T, 3> h = first_moment + offset * (mass / T(2));
  const Matrix<T, 3> outer = offset * h.transpose();
  Matrix<T, 3> shifted = moment - outer - outer.transpose();
  shifted.diagonal().array() += T(2) * outer.trace();
  return shifted;
}

template <class T>
struct LinkInertia {
  // The order in a vector of parameters.
  enum Parameter { xx, xy, xz, yy, yz, zz, first_x, first_y, first_z, mass_parameter };

  T mass = T(0);
  Vector<T, 3> first_moment = Vector<T, 3>::Zero();
  Matrix<T, 3> moment = Matrix<T, 3>::Zero();

  static LinkInertia from_parameters(const Vector<T, kInertialParameters>& p) {
    LinkInertia link;
    link.mass = p[mass_parameter];
    link.first_moment << p[first_x], p[first_y], p[first_z];
    link.moment << p[xx], p[xy], p[xz], p[xy], p[yy], p[yz], p[xz], p[yz], p[zz];
    return link;
  }

  // As a URDF gives it: centre of mass, and the inertia about it in the axes of `rotation`.
  static LinkInertia from_centre_of_mass(const T& mass, const Placement<T>& centre, const Matrix<T, 3>& moment) {
    const Matrix<T, 3> turned = centre.rotation * moment * centre.rotation.transpose();
    const Vector<T, 3> none = Vector<T, 3>::Zero();
    return {mass, mass * centre.translation, shifted_moment(turned, none, mass, centre.translation)};
  }

  Vector<T, kInertialParameters> parameters() const {
    Vector<T, kInertialParameters> p;
    p << moment(0, 0), moment(0, 1), moment(0, 2), moment(1, 1), moment(1, 2), moment(2, 2), first_moment, mass;
    return p;
  }

  // A body fixed to this link, such as a payload or a link behind a fixed joint, seen from this link's frame.
  LinkInertia placed(const Placement<T>& in) const {
    const Vector<T, 3> turned_first = in.rotation * first_moment;
    const Matrix<T, 3> turned = in.rotation * moment * in.rotation.transpose();
    return {mass, turned_first + mass * in.translation, shifted_moment(turned, turned_first, mass, in.translation)};
  }
  LinkInertia& operator+=(const LinkInertia& other) {
    mass += other.mass;
    first_moment += other.first_moment;
    moment += other.moment;
    return *this;
  }

  // About the world's origin, for a link with these axes and origin.
  SpatialInertia<T> in_world(const Matrix<T, 3>& rotation, const Vector<T, 3>& origin) const {
    const Vector<T, 3> turned_first = rotation * first_moment;
    const Matrix<T, 3> turned = rotation * moment * rotation.transpose();
    return {mass, turned_first + mass * origin, shifted_moment(turned, turned_first, mass, origin)};
  }

  // [S, m c; m c^T, m] with S = tr(J) / 2 1 - J, the second moment of the mass: positive definite for a body that can
  // exist, and only then (Wensing, Kim and Slotine 2018).
  Matrix<T, 4> pseudo_inertia() const {
    Matrix<T, 4> p;
    p.template topLeftCorner<3, 3>() = moment.trace() / T(2) * Matrix<T, 3>::Identity() - moment;
    p.template topRightCorner<3, 1>() = first_moment;
    p.template bottomLeftCorner<1, 3>() = first_moment.transpose();
    p(3, 3) = mass;
    return p;
  }

  // And back: J = tr(S) 1 - S.
  static LinkInertia from_pseudo_inertia(const Matrix<T, 4>& p) {
    const Matrix<T, 3> second = p.template topLeftCorner<3, 3>();
    return {p(3, 3), p.template topRightCorner<3, 1>(), second.trace() * Matrix<T, 3>::Identity() - second};
  }

  template <class S>
  LinkInertia<S> cast() const {
    return {static_cast<S>(mass), first_moment.template cast<S>(), moment.template cast<S>()};
  }
};

}  // namespace tauhat
