// Does an observer stay stable over the poses that its model follows? Its error obeys e+ = F(p) e, F = A - L C, and the
// pose changes every n samples. Three answers, each stronger than the one before:
//   at rest in any pose     rho(F(p)) < 1 for all p
//   poses at random         rho(mean_p F^n (x) F^n) < 1: the mean square of e dies out (Costa et al. 2005)
//   poses in any order      one P with F^n^T P F^n < P for all p: then no sequence of poses can build e up
// The third is a search, by the P of the second: where it fails, nothing is proven, which is not a proof of the
// contrary.
#pragma once

#include <vector>

#include "tauhat/offline/joint/joint_spec.hpp"

namespace tauhat {

struct PoseStability {
  std::vector<double> pose, radius;  // rad, per sample
  double worst_radius = 0.0, worst_pose = 0.0;
  double mean_square_radius = 0.0;  // of e^2, per n samples
  double common_growth = 0.0;       // the largest e^T P e can do in n samples; below one: any order is proven

  bool at_rest() const noexcept { return worst_radius < 1.0; }
  bool at_random() const noexcept { return mean_square_radius < 1.0; }
  bool in_any_order() const noexcept { return at_rest() && common_growth < 1.0; }
};

// For luenberger and kalman with fixed gains, or with gains that follow; the study has a [pose]. Throws Error where
// the gain cannot be designed.
PoseStability pose_stability(const JointSpec& spec, const ObserverSpec& observer, double period,
                             double sensor_variance);

}  // namespace tauhat
