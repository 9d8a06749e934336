// A simulated powertrain as the log that its study describes.
#pragma once

#include <string>

#include "tauhat/offline/simulate/powertrain_log.hpp"
#include "tauhat/offline/study/study.hpp"

namespace tauhat::cli {

std::string powertrain_csv(const Study& study, const SimulatedPowertrain& data);

}  // namespace tauhat::cli
