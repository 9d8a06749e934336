// The names and units of a robot's standard parameters: "Ixx1 Ixy1 ... mZ1 m1, Ixx2 ..., Ja1 Ja2 ...".
#pragma once

#include <array>
#include <string_view>

#include "tauhat/core/robot/sizes.hpp"

namespace tauhat {

struct RobotParameterKind {
  std::string_view symbol, unit, meaning;
};

inline constexpr std::array<RobotParameterKind, kInertialParameters + 1> kRobotParameterKinds{{
    {"Ixx", "kg m^2", "moment of inertia about the joint frame's origin"},
    {"Ixy", "kg m^2", "moment of inertia about the joint frame's origin"},
    {"Ixz", "kg m^2", "moment of inertia about the joint frame's origin"},
    {"Iyy", "kg m^2", "moment of inertia about the joint frame's origin"},
    {"Iyz", "kg m^2", "moment of inertia about the joint frame's origin"},
    {"Izz", "kg m^2", "moment of inertia about the joint frame's origin"},
    {"mX", "kg m", "mass times its centre's position"},
    {"mY", "kg m", "mass times its centre's position"},
    {"mZ", "kg m", "mass times its centre's position"},
    {"m", "kg", "mass"},
    {"Ja", "kg m^2", "inertia of the actuator at the output side"},
}};

// Where a parameter stands in the vector, and back.
struct RobotParameter {
  int joint, kind;

  static constexpr RobotParameter at(int index, int joints) {
    const int inertial = kInertialParameters * joints;
    if (index >= inertial) return {index - inertial, kInertialParameters};
    return {index / kInertialParameters, index % kInertialParameters};
  }
  constexpr int index(int joints) const {
    return kind == kInertialParameters ? kInertialParameters * joints + joint : kInertialParameters * joint + kind;
  }

  constexpr const RobotParameterKind& description() const {
    return kRobotParameterKinds[static_cast<std::size_t>(kind)];
  }

  // Without heap: a symbol and the joint's number, from 1.
  struct Name {
    std::array<char, 8> text{};
    std::size_t size = 0;
    constexpr std::string_view view() const { return {text.data(), size}; }
  };
  constexpr Name name() const {
    Name result;
    for (const char c : description().symbol) result.text[result.size++] = c;
    const int number = joint + 1;
    if (number > 9) result.text[result.size++] = static_cast<char>('0' + number / 10);
    result.text[result.size++] = static_cast<char>('0' + number % 10);
    return result;
  }
};

}  // namespace tauhat
