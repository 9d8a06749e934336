// What a log tells of an elastic joint: its parameters from the response of its motor, its stiffness and the skew of
// its clocks where an encoder sits at the load, too.
#pragma once

#include <optional>

#include "tauhat/offline/joint/displacement_fit.hpp"
#include "tauhat/offline/log/log.hpp"
#include "tauhat/offline/replay/timeline.hpp"
#include "tauhat/offline/study/study.hpp"

namespace tauhat {

Report answer_joint(const Study& study, const Log& log);

// Motor and load encoders against each other; empty where there is none at the load, or where nothing moves.
std::optional<DisplacementFit> compare_encoders(const Study& study, const Timeline& timeline);

}  // namespace tauhat
