// Can the answer be trusted? Each way in which it cannot has a name, a test and a sentence that says what to record.
#pragma once

#include <vector>

#include "tauhat/offline/identify/backlash.hpp"
#include "tauhat/offline/identify/suspects.hpp"
#include "tauhat/offline/log/log.hpp"
#include "tauhat/offline/report/report.hpp"

namespace tauhat {

// What the diagnostics measured; thresholds are in the .cpp, each with its reason.
struct BacklashMeasures {
  double share_positive = 0.0, share_negative = 0.0;  // of samples, in contact with the upper and the lower flank
  int presses_positive = 0, presses_negative = 0;     // how often each flank is let go and pressed again
  double stiffness_spread = 0.0;                      // its std over its value, of noise alone
  bool gap_is_told = false;                           // it was found, and its interval does not reach zero
  bool gap_reaches_zero = false;                      // it was found, and its interval does
  double torque_over_noise = 0.0;                     // large flank torque over its standard deviation
  double drift_over_range = 0.0;                      // of the displacement, from knot to knot
  double mean_nis = 0.0;
  double reduced_chi_square = 0.0;
  double autocorrelation = 0.0;  // of one sensor's shooting residuals at one lag: the least like white noise
  double taken_by_starts = 0.0;  // share of the residuals that the segments' free starts took
  double whiteness = 0.0;        // that, in standard deviations of white noise
  double dropped_share = 0.0;
  std::vector<Suspect> suspects;  // what else could explain the log, most suspicious first
};

BacklashMeasures measure(const BacklashFit& fit, const Timeline& timeline);

// The autocorrelation of the residuals at lags 1 to 10 that is the most standard deviations of white noise, among those
// that are large enough to count. Each segment's free start takes p of its n residuals, which leaves white noise with a
// correlation of -p / n at lags that are short beside the segment; others are not looked at.
void measure_whiteness(const ShootingProblem& problem, const ShootingFit& fit, BacklashMeasures& m);

// Then the gap is at least as large as what was seen of it.
bool presses_one_flank_alone(const BacklashMeasures& measures);

std::vector<Diagnostic> diagnose(const BacklashFit& fit, const BacklashMeasures& measures);
// A number without a finite std is no answer; `advice` says what may give it one.
std::vector<Diagnostic> diagnose_intervals(
    const std::vector<Result>& results,
    const std::string& advice =
        "Take parameters that the log hardly tells out of [[unknown]], or give them as plain "
        "numbers");

// The gap that was found, or the largest that there may be where none was: the upper end of its interval.
struct ToldGap {
  double size = 0.0;  // rad
  bool is_found = false;
};
ToldGap told_gap(const BacklashFit& fit);
std::vector<Diagnostic> diagnose_sensors(const Log& log, const Timeline& timeline, const ToldGap& gap, double ratio);

}  // namespace tauhat
