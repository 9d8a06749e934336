// Sizes of a robot's vectors and matrices. The number of joints is a template argument where a loop's time counts;
// Eigen::Dynamic is a number known at run time, up to kMaxJoints, and stored in place: neither touches the heap. (Their
// products are lazyProduct(): Eigen's product of sizes known at run time would link its allocator, if not call it.)
#pragma once

#include <Eigen/Core>

#include <array>
#include <cstddef>

#include "tauhat/core/math/matrix.hpp"

namespace tauhat {

inline constexpr int kMaxJoints = 8;
inline constexpr int kInertialParameters = 10;  // of a link; the actuator's inertia is one more for each joint

template <int Joints>
inline constexpr int kJointBound = Joints == Eigen::Dynamic ? kMaxJoints : Joints;

// A count that is a multiple of the number of joints.
template <int Joints>
constexpr int times_joints(int factor) {
  return Joints == Eigen::Dynamic ? Eigen::Dynamic : factor * Joints;
}

template <class T, int Joints>
using JointVector = Eigen::Matrix<T, Joints, 1, Eigen::ColMajor, kJointBound<Joints>, 1>;

template <class T, int Joints>
using JointMatrix = Eigen::Matrix<T, Joints, Joints, Eigen::ColMajor, kJointBound<Joints>, kJointBound<Joints>>;

// 3 or 6 rows, a column for each joint.
template <class T, int Rows, int Joints>
using JointColumns = Eigen::Matrix<T, Rows, Joints, Eigen::ColMajor, Rows, kJointBound<Joints>>;

// A row for each joint, 3 or 6 columns.
template <class T, int Joints, int Columns>
using JointRows = Eigen::Matrix<T, Joints, Columns, Eigen::ColMajor, kJointBound<Joints>, Columns>;

template <class T, int Joints>
using ParameterVector = Eigen::Matrix<T, times_joints<Joints>(kInertialParameters + 1), 1, Eigen::ColMajor,
                                      (kInertialParameters + 1) * kJointBound<Joints>, 1>;

// One item for each link, uninitialised; indexed by int as joints are.
template <class Item, int Joints>
struct LinkArray : std::array<Item, static_cast<std::size_t>(kJointBound<Joints>)> {
  Item& operator[](int link) noexcept { return this->data()[link]; }
  const Item& operator[](int link) const noexcept { return this->data()[link]; }
};

}  // namespace tauhat
