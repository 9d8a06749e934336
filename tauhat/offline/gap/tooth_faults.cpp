#include "tauhat/offline/gap/tooth_faults.hpp"

#include <fmt/format.h>

#include "tauhat/offline/spelling.hpp"

namespace tauhat {

std::vector<Diagnostic> diagnose_teeth(const ToothFaults& faults, const std::vector<OutputInfo>& outputs, bool learns) {
  std::vector<Diagnostic> remarks;
  const auto sentence = [&](const ToothFaults::Of& fault, const char* what) {
    return fmt::format("{} {} ({}of {}, {:.4g} s after the start); the count was put right by the prediction.",
                       counted(fault.count, "pulse", "pulses"), what, fault.count > 1 ? "the first " : "",
                       outputs[static_cast<std::size_t>(fault.output)].name, fault.first);
  };
  if (faults.lost.count > 0)
    remarks.push_back({"teeth.lost", Severity::warning, sentence(faults.lost, "did not come")});
  if (faults.spurious.count > 0)
    remarks.push_back({"teeth.spurious", Severity::warning, sentence(faults.spurious, "came without a tooth")});
  if (faults.holes.count > 0)
    remarks.push_back(
        {"log.hole", Severity::warning,
         fmt::format("No row came for {:.3g} s, {:.4g} s after the start{}, while teeth should have passed: the filter "
                     "began anew behind it. Cut the log there.",
                     faults.holes.length, faults.holes.first,
                     faults.holes.count > 1
                         ? fmt::format(", and in {} more", counted(faults.holes.count - 1, "hole", "holes"))
                         : "")});
  if (faults.resumed > 0)
    remarks.push_back(
        {"teeth.resumed", learns ? Severity::warning : Severity::error,
         fmt::format("After {} too long to tell which tooth came next, the middle of the gap {}.",
                     counted(faults.resumed, "outage", "outages"),
                     learns ? "was learned anew"
                            : "is not known any more, and this filter learns nothing: use kind = \"imm\" in "
                              "[estimator]")});
  if (faults.reversal >= 0.0)
    remarks.push_back(
        {"pulses.reversal", Severity::error,
         fmt::format("{:.4g} s after the start a wheel came so near to standstill that it may have turned "
                     "back, and its pulses do not say which way they go. Record a counter that goes up and "
                     "down (count), or cut the log before.",
                     faults.reversal)});
  return remarks;
}

}  // namespace tauhat
