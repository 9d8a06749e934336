// What a study's [simulate] gives, whatever its model: what `simulate` writes, `plan` tries out and the provocations of
// diagnostics spoil.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "tauhat/offline/log/pulses.hpp"
#include "tauhat/offline/replay/estimator.hpp"
#include "tauhat/offline/simulate/toothed_wheel.hpp"
#include "tauhat/offline/study/study.hpp"

namespace tauhat {

struct SimulatedStudy {
  Simulated data;
  std::vector<OutputInfo> outputs;         // the truth's columns
  std::vector<std::vector<Pulse>> pulses;  // of each sensor, in their order; empty where none is a wheel
};

// Throws Error (wrong_use) where the study leaves open what has to be simulated.
SimulatedStudy simulate_study(const Study& study, std::uint64_t seed, const std::function<void(double)>& progress = {});

}  // namespace tauhat
