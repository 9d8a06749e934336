// A whole log through an estimator's own steps: for those that have no smoother, and keep nothing of the way.
#pragma once

#include "tauhat/offline/replay/estimator.hpp"

namespace tauhat {

Replay replay_step_by_step(Estimator& estimator, const Timeline& timeline, const ReplayOptions& options);

}  // namespace tauhat
