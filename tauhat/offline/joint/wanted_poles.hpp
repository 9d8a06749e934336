// The poles that a study wants of an observer, as the observer is sampled. What it cannot have is refused, with the
// line of the pole.
#pragma once

#include <Eigen/Core>

#include <string>
#include <vector>

#include "tauhat/core/linear/placement.hpp"
#include "tauhat/offline/joint/pole_spec.hpp"

namespace tauhat {

// Whose they are.
struct PolesOwner {
  std::string name, place;          // of the observer, and where the study has it
  std::vector<std::string> states;  // that need a pole each
  int outputs = 1;                  // a pole may be wanted as often as there are
};

// z = exp(s h), one for each state. Throws Error (wrong_use).
Eigen::VectorXcd wanted_poles(const std::vector<PoleSpec>& poles, const PolesOwner& owner, double period);

// The mode that the sensors show least: by how much they do (ModeTest), where it is, and its name in a sentence.
struct LeastSeen {
  double margin = 0.0, frequency = 0.0;  // 1, Hz
  std::string sentence;
};

// Throws it with why they could not be placed. Where the mode is shown by hardly more than rounding, or swings a
// hundred times slower than the slowest wanted pole, it is the reason: what an error of the poles then comes from.
[[noreturn]] void refuse_placement(PlacementStatus status, double error, const PolesOwner& owner,
                                   const std::vector<PoleSpec>& poles, const LeastSeen& seen);

}  // namespace tauhat
