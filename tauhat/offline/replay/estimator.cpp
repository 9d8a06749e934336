#include "tauhat/offline/replay/estimator.hpp"

#include <fmt/format.h>

#include <cmath>

#include "tauhat/offline/replay/step_by_step.hpp"

namespace tauhat {

void InnovationCounts::count(const Correction<double>& correction) {
  if (correction.status == StepStatus::missing || !std::isfinite(correction.variance)) return;
  const bool refused = correction.status == StepStatus::gated;
  if (correction.status != StepStatus::ok && !refused) {
    ++failed;
    return;
  }
  ++corrections;
  gated += refused;
  nis_sum += correction.nis();
  log_likelihood += correction.log_likelihood();
}

void InnovationCounts::add(const InnovationCounts& others) {
  log_likelihood += others.log_likelihood, nis_sum += others.nis_sum;
  corrections += others.corrections, gated += others.gated, failed += others.failed;
}

std::vector<Diagnostic> diagnose_steps(std::size_t failed, std::size_t steps) {
  // A spike in a sensor or a wrong stamp may cost a step or two; more is a filter that does not follow.
  constexpr std::size_t kFew = 5;
  constexpr double kShare = 1e-3;
  if (failed <= kFew || static_cast<double>(failed) <= kShare * static_cast<double>(steps)) return {};
  return {{"filter.diverged", Severity::error,
           fmt::format("The filter could not take {} of {} steps and stood still there: check the inertias, the units "
                       "and the torque's scale.",
                       failed, steps)}};
}

Replay Estimator::replay(const Timeline& timeline, const ReplayOptions& options) {
  return replay_step_by_step(*this, timeline, options);
}

int Estimator::find_output(const std::string& name) const {
  const auto& all = outputs();
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (all[i].name == name) return static_cast<int>(i);
  }
  return -1;
}

}  // namespace tauhat
