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

// Throws it with why they could not be placed. `unseen` names the mode that the sensors show least, `margin` is by how
// much they do (ModeTest): where that is hardly more than rounding, it is the reason.
[[noreturn]] void refuse_placement(PlacementStatus status, double error, const PolesOwner& owner, double margin,
                                   const std::string& unseen);

}  // namespace tauhat
