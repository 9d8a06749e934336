#include "tauhat/offline/gap/gap_check.hpp"

#include <fmt/format.h>

#include <cmath>

#include "tauhat/offline/gap/gap_fit.hpp"
#include "tauhat/offline/report/suspect.hpp"

namespace tauhat {

std::vector<Diagnostic> check_gap(const Study& study, const Timeline& timeline, const Replay& replay) {
  const GapSpec& spec = *study.powertrain;
  if (spec.is_learned() || spec.tells_positions_only()) return {};
  const GapScores scores = score_gap(spec, timeline, replay, uncertain_values(study));
  if (scores.suspects.empty() || !(std::abs(scores.suspects.front().z) > kSuspicious)) return {};
  return {{"model.suspect", Severity::warning,
           fmt::format("Noise does not explain how the pulses miss their predictions, and something else would: {}, in "
                       "standard deviations of noise. Correct it in the study: this filter takes the study's values "
                       "for true, and its bands do not hold what they are wrong by.",
                       fmt::join(suspects_in_words(scores.suspects), ", or "))}};
}

}  // namespace tauhat
