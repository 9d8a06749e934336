// One item for each joint, kept in groups of as many joints as a register has lanes: what does not depend on the order
// of the joints is computed for a whole group at once (math/lanes.hpp).
#pragma once

#include <array>

#include "tauhat/core/math/lanes.hpp"
#include "tauhat/core/robot/sizes.hpp"

namespace tauhat {

template <class T>
using Vector3 = Vector<T, 3>;
template <class T>
using Matrix3 = Matrix<T, 3>;

// One number for each joint.
template <class T, int Joints>
class JointLanes {
 public:
  static JointLanes zero() noexcept {
    JointLanes none;
    none.groups_.fill(Lanes<T>(0));
    return none;
  }

  T operator[](int joint) const noexcept { return groups_[index(joint)][joint % kLanes<T>]; }
  T& operator[](int joint) noexcept { return groups_[index(joint)][joint % kLanes<T>]; }
  const Lanes<T>& group(int g) const noexcept { return groups_[static_cast<std::size_t>(g)]; }
  Lanes<T>& group(int g) noexcept { return groups_[static_cast<std::size_t>(g)]; }

 private:
  static std::size_t index(int joint) noexcept { return static_cast<std::size_t>(joint / kLanes<T>); }
  std::array<Lanes<T>, (kJointBound<Joints> + kLanes<T> - 1) / kLanes<T>> groups_;
};

template <template <class> class Item, class T, int Joints>
class Grouped {
 public:
  using Group = Item<Lanes<T>>;
  static constexpr int kGroups = (kJointBound<Joints> + kLanes<T> - 1) / kLanes<T>;

  Grouped() = default;

  // Lanes without a joint are zero, and stay out of the way.
  Grouped(const LinkArray<Item<T>, Joints>& items, int joints) noexcept {
    for (int g = 0; g < kGroups; ++g) {
      std::array<const T*, kLanes<T>> bodies;
      for (int lane = 0; lane < kLanes<T>; ++lane) {
        const int joint = g * kLanes<T> + lane;
        bodies[static_cast<std::size_t>(lane)] =
            joint < joints ? reinterpret_cast<const T*>(&items[joint]) : kNone.data();
      }
      Lanes<T>* const group = lanes_of(g * kLanes<T>);
      for (int k = 0; k < kNumbers; ++k) group[k] = Lanes<T>::gathered(bodies, k);
    }
  }

  Group& operator[](int group) noexcept { return groups_[static_cast<std::size_t>(group)]; }
  const Group& operator[](int group) const noexcept { return groups_[static_cast<std::size_t>(group)]; }

  Item<T> of(int joint) const noexcept {
    Item<T> item;
    const Lanes<T>* const group = lanes_of(joint);
    for (int k = 0; k < kNumbers; ++k) reinterpret_cast<T*>(&item)[k] = group[k][joint % kLanes<T>];
    return item;
  }

  // Sums over the links behind each joint. path[k] is one in the lanes of the joints that link k is behind.
  Grouped sums(const LinkArray<JointLanes<T, Joints>, Joints>& path, int joints) const noexcept {
    Grouped result;
    for (int g = 0; g < kGroups; ++g) {
      Lanes<T>* const sum = result.lanes_of(g * kLanes<T>);
      for (int k = 0; k < kNumbers; ++k) {
        sum[k] = Lanes<T>(0);
        // Links come after the joints that they are behind.
        for (int link = g * kLanes<T>; link < joints; ++link) {
          sum[k] += path[link].group(g) * lanes_of(link)[k][link % kLanes<T>];
        }
      }
    }
    return result;
  }

 private:
  // Items are made of numbers of their scalar type and of nothing else.
  static constexpr int kNumbers = static_cast<int>(sizeof(Item<T>) / sizeof(T));
  static_assert(sizeof(Group) == sizeof(Lanes<T>) * kNumbers && sizeof(Item<T>) == sizeof(T) * kNumbers);

  Lanes<T>* lanes_of(int joint) noexcept { return reinterpret_cast<Lanes<T>*>(&(*this)[joint / kLanes<T>]); }
  const Lanes<T>* lanes_of(int joint) const noexcept {
    return reinterpret_cast<const Lanes<T>*>(&(*this)[joint / kLanes<T>]);
  }

  static inline const std::array<T, static_cast<std::size_t>(kNumbers)> kNone{};
  std::array<Group, static_cast<std::size_t>(kGroups)> groups_;
};

}  // namespace tauhat
