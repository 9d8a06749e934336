// Gap and stiffness of a transmission from a motion log: free torque by filter and smoother, cloud fit, refinement by
// multiple shooting, and the decision whether it is backlash at all.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "tauhat/offline/identify/cloud_fit.hpp"
#include "tauhat/offline/identify/shooting.hpp"
#include "tauhat/offline/report/diagnostic.hpp"

namespace tauhat {

struct BacklashOptions {
  std::optional<double> intensity = {};            // N m/sqrt(s) of the torque's random walk; empty: by likelihood
  double intensity_scale = 1.0;                    // of what is given or found, to see what depends on it
  std::vector<UncertainParameter> estimated = {};  // unknown parameters, found along
  std::vector<UncertainParameter> uncertain = {};  // known only so well: they widen the intervals
  double torque_gain_std = 0.0;                    // relative; 0: the torque channel is exact
  double torque_delay_std = 0.0;                   // s
  bool torque_gain_free = false, torque_delay_free = false;
  TwoMassPrior prior = {};
  double gate = 0.0;   // normalised innovation squared; 0: none
  bool refine = true;  // by shooting
  std::function<void(const std::string& stage, double share)> progress = {};
};

struct BacklashFit {
  double intensity = 0.0;
  std::vector<std::pair<double, double>> intensity_likelihood;  // what the choice was made from
  Drive drive;                                                  // with what the filter estimated along
  std::vector<OutputInfo> outputs;
  Replay replay;
  Cloud cloud;
  CloudFit dead_zone;
  CloudFit two_stiffnesses;  // the same with a stiffness for each flank
  std::vector<CloudFit> rivals;
  BacklashEvidence evidence;
  std::optional<ShootingProblem> shooting_problem;
  std::optional<ShootingFit> shooting;
  double share_used = 1.0;  // of the log, by the shooting fit
  bool asymmetric = false;  // the flanks differ in stiffness
  bool is_backlash = false;
  bool stiffens = false;  // no backlash, and a spring that stiffens explains the log, not one stiffness
  double displacement_range = 0.0;

  const Track& smoothed(const std::string& output) const;
  const Track& filtered(const std::string& output) const;
  double gap() const, gap_std() const, stiffness() const, stiffness_std() const;
};

BacklashFit identify_backlash(const Timeline& timeline, const Drive& drive, const BacklashOptions& options);

}  // namespace tauhat
