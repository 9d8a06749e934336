// What a branch of a loop says: the displacement at a torque, and a line through a part of it.
#pragma once

#include "tauhat/offline/gearbox/loop.hpp"

namespace tauhat {

// The widest window to either side of a point, of the rated torque.
inline constexpr double kWindowReach = 0.005;

struct PointEstimate {
  double value = 0.0, variance = 0.0;
};

// The displacement where the branch passes the torque. Torque and displacement are both smoothed over time, so that
// noise of either does not bias the other:
//   torque(t) ~ a + b (t - t0),   displacement(t) ~ c + d (t - t0) + e (t - t0)^2   over a window about t0,
// and read where the line meets the torque. The window grows from a few samples until the noise is small, at most to
// `reach` in torque: corners and curved flanks stay sharp where the noise allows it.
PointEstimate displacement_at(const TorqueRamp& ramp, const Branch& branch, double torque, double reach);

// displacement = intercept + compliance * torque, with time as the instrument: both are compared with the time of the
// ramp, not with each other, because noise in the torque would flatten a line that is fitted over it.
struct LoadingLine {
  double intercept = 0.0, compliance = 0.0;
  double intercept_variance = 0.0, compliance_variance = 0.0;
  std::size_t samples = 0;
};

// Through the samples of a branch whose displacement lies beyond `limit`: above it where `side` is positive, else
// below.
LoadingLine fit_loading_line(const TorqueRamp& ramp, const Branch& branch, double limit, int side);

}  // namespace tauhat
