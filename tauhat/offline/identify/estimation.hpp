// States and unknowns of a drive over a log, and what is to be said of them: `estimate`, without its files.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "tauhat/offline/identify/online.hpp"

namespace tauhat {

struct Estimation {
  Timeline timeline;
  double intensity = 0.0;  // of the unknown's random walk: the study's, or by likelihood
  std::unique_ptr<Estimator> estimator;
  Replay replay;                           // its deviations hold what the study knows only so well
  std::vector<UncertaintyBudget> budgets;  // of the last instant; empty where all that the study gives is exact
  std::vector<Diagnostic> diagnostics;
  std::vector<Diagnostic> refusals;  // errors after which there are no estimates to give
};

Estimation estimate(const Study& study, const Log& log, bool smooth, const std::function<void(double)>& progress = {});

}  // namespace tauhat
