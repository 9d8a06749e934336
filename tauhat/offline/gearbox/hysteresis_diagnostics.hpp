// Can a hysteresis-curve test be trusted? Each way in which it cannot has a name and a sentence that says what to do.
#pragma once

#include <vector>

#include "tauhat/offline/gearbox/hysteresis_test.hpp"

namespace tauhat {

// A ramp that ends within this share of the torque asked for has reached it: controllers do not end to the digit.
inline constexpr double kReached = 0.98;

std::vector<Diagnostic> diagnose_hysteresis(const std::vector<HysteresisRecord>& records,
                                            const std::vector<LoopResult>& loops, const HysteresisSpec& spec);

}  // namespace tauhat
