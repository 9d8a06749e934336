// A named place on a robot: a flange, a tool, a contact. And the force that the environment exerts there.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

#include "tauhat/core/robot/joint.hpp"

namespace tauhat {

// A name that is stored in place. One that is too long is refused, not cut: it would answer to another's name.
class FrameName {
 public:
  static constexpr std::size_t kCapacity = 63;

  constexpr FrameName() = default;
  static constexpr bool fits(std::string_view text) noexcept { return !text.empty() && text.size() <= kCapacity; }
  constexpr explicit FrameName(std::string_view text) noexcept {
    if (!fits(text)) return;
    for (const char c : text) text_[size_++] = c;
  }
  constexpr std::string_view view() const noexcept { return {text_.data(), size_}; }

 private:
  std::array<char, kCapacity> text_{};
  std::size_t size_ = 0;
};

template <class T>
struct Frame {
  FrameName name;
  int link = kBase;
  Placement<T> placement;  // in the link's frame

  template <class S>
  Frame<S> cast() const {
    return {name, link, placement.template cast<S>()};
  }
};

// The axes that a force and a moment at a frame's origin are given in.
enum class WrenchAxes : std::int8_t { world, frame };

// From the environment on the robot; the moment is about the frame's origin.
template <class T>
struct ExternalWrench {
  Frame<T> frame;
  Wrench<T> wrench = Wrench<T>::zero();
  WrenchAxes axes = WrenchAxes::world;
};

}  // namespace tauhat
