// The axis with its friction as a random walk, behind the run-time face: what acts right now, without a law.
#pragma once

#include <memory>

#include "tauhat/core/models/axis.hpp"
#include "tauhat/core/unknowns/random_walk.hpp"
#include "tauhat/offline/friction/blind.hpp"
#include "tauhat/offline/replay/estimator.hpp"

namespace tauhat {

using FreeFriction = Augmented<Axis<double>, RandomWalk<Axis<double>::friction_force>>;

std::unique_ptr<Estimator> make_friction_estimator(const Axis<double>& axis, const BlindOptions& options);

// What is known beside the data: where the axis starts, if no sensor sees its position, and how fast friction wanders.
struct BlindPrior {
  double start = 0.0, start_std = 0.0;
  std::optional<double> intensity;  // empty: by the likelihood of the innovations
};

// Start, noise of the motion and reversal thresholds from the data. Sets the axis' own noise, too.
BlindOptions blind_options_for(Axis<double>& axis, const Timeline& timeline, const BlindPrior& prior);

}  // namespace tauhat
