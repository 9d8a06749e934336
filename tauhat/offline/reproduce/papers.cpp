#include "tauhat/offline/reproduce/reproduce.hpp"

namespace tauhat {

const std::vector<Paper>& papers() {
  static const std::vector<Paper> all{
      {"hovland", "backlash by a state-augmented filter", reproduce_hovland},
      {"shimizu", "solid friction by filters and smoothers", reproduce_shimizu},
      {"lagerberg", "position in the gap from encoder pulses", reproduce_lagerberg},
      {"zampolini", "link velocity of an elastic joint", reproduce_zampolini},
      {"pyrhonen", "an arm's parameters, and force at its tool", reproduce_pyrhonen},
      {"limits", "truths outside of the models", reproduce_limits, true, "docs/limits.md"},
      {"diagnostics", "found and false alarms", reproduce_diagnostics, true, "docs/guides/diagnostics/rates.md"}};
  return all;
}

}  // namespace tauhat
