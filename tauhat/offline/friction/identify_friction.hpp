// Which law describes the friction of an axis, with which numbers, and can they be trusted: blind smoothing, candidate
// laws by BIC, the parametric smoother on the best.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "tauhat/offline/friction/blind.hpp"
#include "tauhat/offline/friction/fitted_inputs.hpp"
#include "tauhat/offline/friction/law_fit.hpp"
#include "tauhat/offline/friction/motion_fit.hpp"
#include "tauhat/offline/friction/parametric.hpp"
#include "tauhat/offline/friction/unexplained_force.hpp"
#include "tauhat/offline/friction/untold.hpp"
#include "tauhat/offline/report/diagnostic.hpp"

namespace tauhat {

struct FrictionOptions {
  std::optional<double> intensity;              // of the blind model; empty: by likelihood
  double intensity_scale = 1.0;                 // of what is given or found, to see what depends on it
  bool offset = false;                          // a constant force is unknown, too
  std::vector<UncertainParameter> uncertain{};  // of the axis, known only so well
  double start = 0.0, start_std = 0;            // of the position, where no sensor sees it
  std::string source = "the record";            // file, for messages
  std::function<void(const std::string& stage, double share)> progress;
};

struct FrictionFit {
  Axis<double> axis;  // with the offset that was found, and what was known only so well as it suits the law
  GivenInputs given;  // by the study
  Timeline timeline;  // what was used: the whole record, or the most telling part of a long one
  BlindOptions blind_options;
  BlindSmoothing blind;                 // its friction without the offset that was found
  std::vector<LawFit> candidates;       // best first
  std::vector<LawFit> curves;           // laws through the blind friction of an axis that clearly moves, nearest first
  ParametricSpec spec;                  // of the best, as it was last run
  ParametricTracks parametric;          // of the best
  FittedLaw law;                        // the best, with the parametric smoother's numbers
  std::vector<UntoldParameter> untold;  // of the best, where the data do not tell them
  std::optional<MotionFit> motion;      // where the best law's own motion follows the record: its numbers are these
  double noise_variance = 0.0;          // of the position: the sensor's as assumed, the smoother's where there is none
  double slow = 0.0;                    // rad/s: slower, the law was trusted less; 0: it holds through standstill
  Eigen::MatrixXd inputs_covariance;    // of what is known only so well, after the data
  Eigen::MatrixXd by_inputs;            // covariance of the law's parameters by what is known only so well; empty: none
  Eigen::MatrixXd by_model;             // the same by motion that is not the law's, the constant force last
  UnexplainedForce unexplained;         // by the best

  // Friction in steady motion by the law, and its standard deviation from the parameters' covariances.
  double steady_force(double velocity) const { return law.steady_force(velocity); }
  double steady_force_std(double velocity) const;
  Eigen::VectorXd steady_gradient(double velocity) const;  // by the parameters
  // The law with one of its parameters moved.
  FittedLaw law_with(std::size_t parameter, double moved_by) const;
  bool is_told(const std::string& parameter) const;
  double model_std(std::size_t parameter) const;  // one more than there are: of the constant force
  // The speed above which the blind friction is not that of a reversal.
  double clearly_moving() const { return 2.0 * blind_options.reversal_speed; }
};

// Throws Error (unusable_data) where there is nothing to work on.
FrictionFit identify_friction(const Axis<double>& axis, const Timeline& timeline, const FrictionOptions& options);

// What was measured of it, for the diagnostics.
struct FrictionMeasures {
  double travel_over_noise = 0.0;
  std::size_t reversals = 0;         // changes of direction, whatever rest lies between
  double speed_spread = 0.0;         // between the 10 % and 90 % quantiles of the speed, over the median
  double friction_over_noise = 0.0;  // median of the smoothed friction over its standard deviation
  double told_from_none = 0.0;       // deviations: by how much the law's motion is likelier than one without friction
  double fastest = 0.0;              // speed, but for a hundredth of the samples
  double left_of_excess = 0.0;       // FittedLaw::left_at that speed
  double misfit = 0.0;               // blind friction less the law's, over the friction; rms
  double off_curve = 0.0;            // blind friction less that of the law in steady motion, over the friction; rms
  double nearest_curve = 0.0;        // the same of the law that comes nearest
  double mean_nis = 0.0;             // of the parametric filter
  double autocorrelation = 0.0;      // largest of its innovations, lags 1 to 10
  double hysteresis = 0.0;           // |friction| speeding up less slowing down, over its mean; both less the law's
  double hysteresis_std = 0.0;
};

FrictionMeasures measure(const FrictionFit& fit, const Timeline& timeline);
std::vector<Diagnostic> diagnose(const FrictionFit& fit, const FrictionMeasures& measures,
                                 const std::string& speed_unit = "rad/s");

}  // namespace tauhat
