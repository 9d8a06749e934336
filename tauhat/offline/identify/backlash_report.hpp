// A backlash fit as numbers, verdicts and plots.
#pragma once

#include "tauhat/offline/identify/diagnose.hpp"
#include "tauhat/offline/identify/prepare.hpp"

namespace tauhat {

struct BacklashAnswer {
  std::string source;  // the log
  Prepared prepared;
  BacklashFit fit;
  BacklashMeasures measures;
  Report report;
};

// The whole way from a study and a log to the report.
BacklashAnswer answer_backlash(const Study& study, const Log& log,
                               const std::function<void(const std::string&, double)>& progress = {});

// Verdicts of the study's limits, on the report's results.
// `possible` results may be absent: they are then inconclusive.
void judge_limits(const Study& study, Report& report, std::vector<std::string> possible = {});

// Results by the names of the design; a parameter of the motor's friction is "friction.<name>".
std::vector<Result> backlash_results(const BacklashFit& fit, const BacklashMeasures& measures);
std::string backlash_headline(const BacklashFit& fit, const std::vector<Result>& results, bool trusted);
std::vector<Section> backlash_sections(const BacklashFit& fit, const BacklashMeasures& measures,
                                       const Timeline& timeline);

}  // namespace tauhat
