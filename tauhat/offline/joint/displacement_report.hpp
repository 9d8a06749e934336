// Motor and load encoders of an elastic joint against each other: its stiffness, and the skew of their clocks.
#pragma once

#include <optional>

#include "tauhat/offline/joint/displacement_fit.hpp"
#include "tauhat/offline/replay/timeline.hpp"
#include "tauhat/offline/report/report.hpp"
#include "tauhat/offline/study/study.hpp"

namespace tauhat {

// Adds nothing where there is no encoder at the load.
void add_displacement(const Study& study, const Timeline& timeline, Report& report);

// Empty where there is none at the load, or where nothing moves.
std::optional<DisplacementFit> compare_encoders(const Study& study, const Timeline& timeline);

}  // namespace tauhat
