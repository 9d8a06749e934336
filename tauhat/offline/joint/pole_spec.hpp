// Poles of an observer as a study lists them.
#pragma once

#include <string>

namespace tauhat {

// A real pole, or a pair.
struct PoleSpec {
  double frequency = 0.0;  // Hz
  double damping = 1.0;    // 1: real, and one pole only
  std::string place{};     // "study.toml:16", for what is refused
};

}  // namespace tauhat
