// A log through the filters of the gap, with what the study knows only so well of the drive fitted beside the gap:
// nobody knows a shaft's stiffness to a per cent, and one per cent of it moves the gap by more than all noise. One step
// of Friedland's filter from the study's values; where that leads far, the log is gone through again from there.
#pragma once

#include <functional>
#include <optional>

#include "tauhat/offline/gap/gap_suspects.hpp"
#include "tauhat/offline/report/uncertainty.hpp"
#include "tauhat/offline/study/study.hpp"

namespace tauhat {

struct GapFit {
  GapSpec spec;  // of the drive as the replay took it
  Replay replay;
  std::vector<Diagnostic> remarks;
  GapScores scores;                       // beside the replay
  std::vector<UncertainGapValue> fitted;  // as the study says
  std::vector<GapSuspect> suspects;       // most suspicious first; those that were fitted beside what the study says

  double value(std::size_t fitted_value) const;  // what the record and the study say of it, together
};

// What is fitted: what the study knows only so well of the drive, and what nobody knows to a few per cent.
std::vector<UncertainGapValue> uncertain_values(const Study& study);

GapFit fit_gap(const Study& study, const Timeline& timeline, const std::function<void(double)>& progress);

// Where something was said last: a filter with fixed gains says nothing until it has settled, nor while a wheel is
// silent.
std::optional<std::size_t> last_said(const Track& track);

// Value and uncertainty of the gap (or of the offset) at the end of the record, or where they were said last.
struct GapEstimate {
  double value = 0.0;
  UncertaintyBudget budget{};
};
GapEstimate gap_of(const GapFit& fit);
GapEstimate offset_of(const GapFit& fit);

}  // namespace tauhat
