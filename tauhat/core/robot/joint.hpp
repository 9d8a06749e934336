// A joint: which link carries it, where its frame is there at zero, and how it moves along or about its axis.
//
// Rodrigues' formula gives the rotation about any unit axis u, K = u~:  E (1 + sin q K + (1 - cos q) K^2). The three
// constant matrices are kept, so that no frame has to be turned until its axis is z.
#pragma once

#include <cstdint>

#include "tauhat/core/robot/placement.hpp"
#include "tauhat/core/robot/spatial.hpp"

namespace tauhat {

enum class JointType : std::int8_t { revolute, prismatic };

inline constexpr int kBase = -1;  // the parent of the first joint of an arm

template <class T>
class Joint {
 public:
  Joint() = default;
  // `axis` is a unit vector in the joint's own frame.
  Joint(int parent, JointType type, const Placement<T>& placement, const Vector<T, 3>& axis = Vector<T, 3>::UnitZ())
      : parent_(parent), type_(type), axis_(axis), placement_(placement) {
    if (type == JointType::prismatic) return;
    Matrix<T, 3> k;
    k << T(0), -axis[2], axis[1], axis[2], T(0), -axis[0], -axis[1], axis[0], T(0);
    by_sine_ = placement.rotation * k;
    by_cosine_ = -by_sine_ * k;
    constant_ = placement.rotation - by_cosine_;
  }

  int parent() const noexcept { return parent_; }
  JointType type() const noexcept { return type_; }
  bool is_revolute() const noexcept { return type_ == JointType::revolute; }
  const Vector<T, 3>& axis() const noexcept { return axis_; }
  const Placement<T>& placement() const noexcept { return placement_; }

  // The link's axes and origin in the parent's frame; the sine and cosine are the position's.
  Placement<T> placement_at(const T& position, const T& sine, const T& cosine) const {
    if (!is_revolute()) {
      return {placement_.rotation, placement_.translation + placement_.rotation * axis_ * position};
    }
    return {constant_ + by_cosine_ * cosine + by_sine_ * sine, placement_.translation};
  }

  template <class S>
  Joint<S> cast() const {
    return {parent_, type_, placement_.template cast<S>(), axis_.template cast<S>()};
  }

 private:
  int parent_ = kBase;
  JointType type_ = JointType::revolute;
  Vector<T, 3> axis_ = Vector<T, 3>::UnitZ();
  Placement<T> placement_;
  Matrix<T, 3> constant_ = Matrix<T, 3>::Identity(), by_sine_ = Matrix<T, 3>::Zero(), by_cosine_ = by_sine_;
};

}  // namespace tauhat
