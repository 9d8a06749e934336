// Name and SI unit of one scalar: "motor.velocity" in rad/s. Sensors, inputs, results and plots all speak in signals.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

namespace tauhat {

struct Signal {
  std::string_view name, unit;
};

// Position of a signal in a model's list, or -1.
constexpr int index_of(std::span<const Signal> signals, std::string_view name) noexcept {
  for (std::size_t i = 0; i < signals.size(); ++i) {
    if (signals[i].name == name) return static_cast<int>(i);
  }
  return -1;
}

}  // namespace tauhat
