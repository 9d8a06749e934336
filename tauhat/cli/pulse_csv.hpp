// A simulated drive with toothed wheels as the log that its study describes.
#pragma once

#include <string>
#include <vector>

#include "tauhat/offline/simulate/simulate.hpp"
#include "tauhat/offline/simulate/toothed_wheel.hpp"
#include "tauhat/offline/study/study.hpp"

namespace tauhat::cli {

// `pulses` of each sensor, in their order, empty where it is sampled; `outputs` name the truth's columns.
std::string pulse_csv(const Study& study, const Simulated& data, const std::vector<std::vector<Pulse>>& pulses,
                      const std::vector<OutputInfo>& outputs);

}  // namespace tauhat::cli
