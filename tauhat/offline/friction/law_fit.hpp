// One candidate law fitted to the motion of an axis, by least squares on the innovations of a slow observer.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tauhat/offline/friction/candidate.hpp"
#include "tauhat/offline/friction/fitted_inputs.hpp"
#include "tauhat/offline/friction/slow_observer.hpp"

namespace tauhat {

inline constexpr double kDecisive = 10.0;  // difference of BIC

struct LawFit {
  FittedLaw law;
  double offset = 0.0;                 // constant force, where it is fitted along
  Eigen::VectorXd moved_inputs{};      // how far the law moves what is known only so well
  double variance = 0.0;               // of the residual
  double bic = 0.0;                    // n ln(variance) + parameters ln n: smaller is better
  std::optional<double> filter_bic{};  // -2 ln(likelihood) + parameters ln n of the filter, where that judged it, too
  std::vector<double> velocity;        // of the fitted motion
  bool separable = true;               // else the data cannot tell its parameters apart
  std::string why{};                   // then: which ones, and what to record instead
};

struct LawFitOptions {
  double bandwidth = 1.0;  // rad/s, of the observer
  bool offset = false;     // a constant force is unknown, too
  InputColumns inputs{};   // what is known only so well, fitted along within that
  int passes = 12;         // at most; the velocity moves towards that of the fitted motion from pass to pass
};

// `velocity` from the blind smoother, to begin with.
LawFit fit_law(LawKind kind, const Axis<double>& axis, const AxisSamples& samples, const std::vector<double>& velocity,
               const LawFitOptions& options);

}  // namespace tauhat
