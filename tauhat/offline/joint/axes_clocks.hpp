// Whether the channels of several axes have one clock. The model foretells each motor's next position from what all
// motors did; a channel that comes late makes it foretell worse, and by how much it does says how late:
//   minimise  sum_t e_t^T S^-1 e_t + sum_i (theta_i / prior_i)^2,   e = y - y^(theta)            (Ljung 1999, chapter
//   7)
// by Gauss and Newton, S the innovations' own covariance. theta: the delays, and beside them all that the study may
// have wrong: inertias, stiffness, damping, friction and the links' mass matrix. What is left of the innovations is not
// white where the model lacks something; the deviations are those of scores that follow each other:
//   covariance = H^-1 (long-run covariance of the scores + prior) H^-1
#pragma once

#include <string>
#include <vector>

#include "tauhat/offline/joint/axes_spec.hpp"
#include "tauhat/offline/joint/displacement_fit.hpp"
#include "tauhat/offline/replay/timeline.hpp"

namespace tauhat {

struct AxesClocks {
  // Positive: it comes later. Torques beside the position of their own motor, positions beside that of the first axis,
  // whose own is zero.
  std::vector<FittedNumber> torque, position;
  AxesSpec believed;  // with what the record says of its numbers
};

// `observer` says what acts that nobody measures. The motors' torques and positions in `timeline` are in the axes'
// order of axes_signal().
AxesClocks fit_axes_clocks(const AxesSpec& spec, const AxesObserver& observer, const Timeline& timeline, double period);

}  // namespace tauhat
