// What came of the teeth of a powertrain's wheels, and how it is said.
#pragma once

#include <cstddef>
#include <vector>

#include "tauhat/offline/replay/estimator.hpp"

namespace tauhat {

struct ToothFaults {
  struct Of {
    std::size_t count = 0;
    int output = 0;      // the wheel of the first
    double first = 0.0;  // s after the start
  };
  Of lost, spurious;        // found by the innovation, and put right
  std::size_t resumed = 0;  // after an outage that left the tooth in doubt: the offset is learned anew
  struct {
    std::size_t count = 0;
    double first = 0.0, length = 0.0;  // s after the start, s
  } holes;                             // no row came, and teeth should have passed: the filter began anew behind them
  double reversal = -1.0;              // s: a wheel without direction may have turned back; less than 0: none did
};

// `learns`: the filter finds the middle of the gap again after an outage.
std::vector<Diagnostic> diagnose_teeth(const ToothFaults& faults, const std::vector<OutputInfo>& outputs, bool learns);

}  // namespace tauhat
