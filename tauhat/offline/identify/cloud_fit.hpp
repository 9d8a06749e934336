// From a cloud of smoothed torque over displacement to gap and stiffness.
//
//   tau = curve(d - c(t); p),  weights 1 / Var(tau), Huber, and less near the corners, where the smoother rounds:
//   corner weight = 1 - 0.95 exp(-((|d - c| - b) / L)^2),   L = 3 |d'| / bandwidth
// The standard deviations are a sandwich with Bartlett's window: neighbouring estimates share their errors.
#pragma once

#include <Eigen/Dense>

#include <vector>

#include "tauhat/offline/identify/curve.hpp"
#include "tauhat/offline/identify/drifting_offset.hpp"

namespace tauhat {

struct Cloud {
  std::vector<double> time, displacement, torque, torque_variance, displacement_rate;
  double bandwidth = 1000.0;       // rad/s, of the torque estimate
  DriftingOffset offset;           // knots and prior; values are the start
  double correlation_time = 0.03;  // s, reach of Bartlett's window

  std::size_t size() const noexcept { return time.size(); }
};

struct CloudFit {
  Curve curve = Curve::dead_zone;
  CurveParameters parameters{};
  Eigen::MatrixXd covariance;
  DriftingOffset offset;
  double cost = 0.0;   // robust
  double scale = 1.0;  // of the standardised residuals
  bool converged = false;

  double gap() const {
    return has_gap(curve) ? 2.0 * parameters[static_cast<std::size_t>(half_gap_index(curve))] : 0.0;
  }
  double gap_std() const;
  double stiffness() const;  // mean of the flanks
  double stiffness_std() const;
};

// Multistart for curves with a gap; all start from the cloud's offset.
CloudFit fit_cloud(const Cloud& cloud, Curve curve);

// Is it backlash? N_eff ln(RSS_rival / RSS) - dp ln N_eff for each rival, all with the weights of the dead zone.
struct Rivalry {
  Curve rival;
  double evidence;  // above 10: the dead zone is preferred
};
struct BacklashEvidence {
  std::vector<Rivalry> rivals;
  double effective_samples = 0.0;
  double weakest() const;
};
BacklashEvidence compare_with_rivals(const Cloud& cloud, const CloudFit& dead_zone,
                                     const std::vector<CloudFit>& rivals);

}  // namespace tauhat
