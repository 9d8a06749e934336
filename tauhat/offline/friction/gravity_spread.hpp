// What a gravity that was fitted to the same sections adds to the deviations of a friction curve: its error is in every
// point, and it is no independent one.
//
// A number x of the curve is a weighted sum of the sections' means, less gravity:
//   x = sum_s w_s (mean_s(force) - mean_s(g) theta),   g = (1, sin q, cos q),   theta = B sum_k row_k force_k
// so that the noise e of the force moves it by
//   dx = sum_k c_k e_k,   c_k = w_s / n_s - (sum_t w_t mean_t(g)) B row_k
//   var x = sum_s  long_run_s sum_k c_k^2  +  between_s (sum_k c_k)^2
// with the noise of a section's samples by its long-run variance, and what sections differ by beyond it.
#pragma once

#include <vector>

#include "tauhat/offline/friction/constant_speed.hpp"
#include "tauhat/offline/friction/fitted_gravity.hpp"

namespace tauhat {

struct SectionNoise {
  double long_run = 0.0;  // variance of one sample, as it counts in a mean
  double between = 0.0;   // variance of the section as a whole
};

// Sets the deviations of the curve's points and lines; they have been those of the noise beside a known gravity. Where
// the points' deviations are not known (`is_exact`), the lines' come from the scatter, and that of gravity is added.
void add_gravity_spread(const FittedGravity& fitted, const AxisMotion& motion,
                        const std::vector<SteadySection>& sections, const std::vector<SectionNoise>& noise,
                        bool is_exact, SpeedCurve& curve);

}  // namespace tauhat
