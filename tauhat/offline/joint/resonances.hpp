// The resonances of a joint for people: results by the names response.poleN and response.zeroN, and a table.
#pragma once

#include <vector>

#include "tauhat/offline/joint/joint_response.hpp"
#include "tauhat/offline/report/report.hpp"

namespace tauhat {

// Poles, and zeros: where the links swing and the motor stands still, which are the virtual sensor's poles.
struct Resonances {
  std::vector<Mode<double>> poles, zeros;
  std::vector<Mode<double>> pole_std{}, zero_std{};  // none where they are given, not found
};

// Adds the results, and gives the table.
Table add_resonances(const Resonances& resonances, Report& report);

}  // namespace tauhat
