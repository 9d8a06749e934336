// An arm or a tree of links: joints, inertias, actuators, gravity and named frames. A value; the algorithms beside it
// (inverse_dynamics.hpp, forward_dynamics.hpp, regressor.hpp, ...) only read it.
//
// Link i moves with joint i and has its frame there; a joint's parent comes before it. The base frame is the world's,
// wherever gravity points. Torques at revolute joints are in N m, at prismatic ones in N; the positions likewise.
#pragma once

#include <string_view>

#include "tauhat/core/robot/frame.hpp"
#include "tauhat/core/robot/grouped.hpp"
#include "tauhat/core/robot/link_inertia.hpp"
#include "tauhat/core/robot/transmission.hpp"

namespace tauhat {

template <class T, int Joints = Eigen::Dynamic>
class Robot {
 public:
  using Scalar = T;
  using Vector = JointVector<T, Joints>;
  using Matrix = JointMatrix<T, Joints>;
  using Parameters = ParameterVector<T, Joints>;
  static constexpr int kJoints = Joints;
  static constexpr int kMaxFrames = 16;

  tauhat::Vector<T, 3> gravity{T(0), T(0), constant<T>(-9.81)};

  static constexpr bool fits(int joints) noexcept {
    return Joints == Eigen::Dynamic ? joints >= 0 && joints <= kMaxJoints : joints == Joints;
  }

  Robot() : Robot(Joints == Eigen::Dynamic ? 0 : Joints) {}
  // The caller has checked that so many joints fit.
  explicit Robot(int joints) : count_(joints), actuator_inertia_(Vector::Zero(joints)), transmission_(joints) {}

  constexpr int joints() const noexcept { return Joints == Eigen::Dynamic ? count_ : Joints; }
  const Joint<T>& joint(int i) const noexcept { return joints_[i]; }
  int parent(int i) const noexcept { return joints_[i].parent(); }
  const LinkInertia<T>& link(int i) const noexcept { return links_[i]; }
  // Of as many links at once as a register has lanes.
  const LinkInertia<Lanes<T>>& link_group(int group) const noexcept { return link_groups_[group]; }

  // Of each link the joints that it is behind: one in their lanes.
  const LinkArray<JointLanes<T, Joints>, Joints>& paths() const noexcept { return paths_; }

  // Parents before their children.
  void set_joint(int i, const Joint<T>& joint) noexcept {
    joints_[i] = joint;
    for (int link = i; link < joints(); ++link) {
      JointLanes<T, Joints>& path = paths_[link];
      path = parent(link) < 0 || parent(link) >= link ? JointLanes<T, Joints>::zero() : paths_[parent(link)];
      path[link] = T(1);
    }
  }
  void set_link(int i, const LinkInertia<T>& link) noexcept {
    links_[i] = link;
    link_groups_ = {links_, joints()};
  }

  // Of the rotors and gears, at the output side: ratio^2 times the rotor's own.
  const Vector& actuator_inertia() const noexcept { return actuator_inertia_; }
  Vector& actuator_inertia() noexcept { return actuator_inertia_; }
  const Transmission<T, Joints>& transmission() const noexcept { return transmission_; }
  Transmission<T, Joints>& transmission() noexcept { return transmission_; }

  // Per link Ixx Ixy Ixz Iyy Iyz Izz mX mY mZ m, then the actuators' Ja: parameters.hpp names them.
  int parameter_count() const noexcept { return (kInertialParameters + 1) * joints(); }
  Parameters parameters() const {
    Parameters all(parameter_count());
    for (int i = 0; i < joints(); ++i) {
      all.template segment<kInertialParameters>(kInertialParameters * i) = link(i).parameters();
    }
    all.tail(joints()) = actuator_inertia_;
    return all;
  }
  void set_parameters(const Parameters& all) {
    for (int i = 0; i < joints(); ++i) {
      set_link(i, LinkInertia<T>::from_parameters(all.template segment<kInertialParameters>(kInertialParameters * i)));
    }
    actuator_inertia_ = all.tail(joints());
  }

  // False when the name is empty, too long or taken, the link does not exist, or there is no room.
  bool add_frame(std::string_view name, int link, const Placement<T>& placement) {
    if (!FrameName::fits(name) || find_frame(name) != nullptr || link < kBase || link >= joints() ||
        frame_count_ == kMaxFrames) {
      return false;
    }
    frames_[static_cast<std::size_t>(frame_count_++)] = {FrameName(name), link, placement};
    return true;
  }
  // Null when there is none of this name.
  const Frame<T>* find_frame(std::string_view name) const noexcept {
    for (int i = 0; i < frame_count_; ++i) {
      if (frame(i).name.view() == name) return &frame(i);
    }
    return nullptr;
  }
  int frame_count() const noexcept { return frame_count_; }
  const Frame<T>& frame(int i) const noexcept { return frames_[static_cast<std::size_t>(i)]; }

  // The same robot with another scalar, or with its number of joints, which Robot<S, Count>::fits, fixed or freed.
  template <class S, int Count = Joints>
  Robot<S, Count> cast() const {
    Robot<S, Count> other(joints());
    other.gravity = gravity.template cast<S>();
    for (int i = 0; i < joints(); ++i) {
      other.set_joint(i, joint(i).template cast<S>());
      other.set_link(i, link(i).template cast<S>());
    }
    other.actuator_inertia() = actuator_inertia_.template cast<S>();
    other.transmission() = {transmission_.ratio().template cast<S>(), transmission_.coupling().template cast<S>()};
    for (int i = 0; i < frame_count_; ++i) {
      other.add_frame(frame(i).name.view(), frame(i).link, frame(i).placement.template cast<S>());
    }
    return other;
  }

 private:
  int count_, frame_count_ = 0;
  LinkArray<Joint<T>, Joints> joints_{};
  LinkArray<LinkInertia<T>, Joints> links_{};
  Grouped<LinkInertia, T, Joints> link_groups_{links_, 0};
  LinkArray<JointLanes<T, Joints>, Joints> paths_{};
  Vector actuator_inertia_;
  Transmission<T, Joints> transmission_;
  std::array<Frame<T>, kMaxFrames> frames_{};
};

}  // namespace tauhat
