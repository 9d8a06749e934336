// A study's simulation: what `simulate` writes and `plan` tries out.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "tauhat/offline/study/study.hpp"

namespace tauhat::cli {

struct SimulatedModel {
  Simulated data;
  std::vector<OutputInfo> outputs;  // the truth's columns
  std::string csv;                  // the log
};

// Throws Error (wrong_use) where the study leaves open what has to be simulated.
SimulatedModel simulated_by(const Study& study, std::uint64_t seed, const std::function<void(double)>& progress = {});

}  // namespace tauhat::cli
