// Which samples of a motion belong to a regression on friction: those in which the axis moves. Friction at rest is
// whatever holds the axis, and its sign is not known.
#pragma once

#include <Eigen/Dense>

#include <vector>

#include "tauhat/offline/friction/axis_motion.hpp"

namespace tauhat {

// The larger of one percent of the highest speed (thesis) and five deviations of the velocity's noise, below which its
// sign is not known.
double standstill_threshold(const AxisMotion& motion);

// One where the axis moves, zero where it rests. The equation holds for each sample, so it holds as well multiplied by
// this window, and then after the decimation filter: what happens at rest does not leak into its neighbours. Within
// 1 / cut_off of a rest the filter on the position has mixed the two; a standstill that is shorter is a reversal, and
// stays.
std::vector<double> moving_window(const AxisMotion& motion, double threshold, double cut_off);

void cut_out(std::vector<double>& values, const std::vector<double>& window);

// Decimated samples that are fast enough, and mostly inside the window.
std::vector<Eigen::Index> moving_samples(const Eigen::VectorXd& velocity, const Eigen::VectorXd& window,
                                         double threshold);

template <class Matrix>
Matrix rows_of(const Matrix& all, const std::vector<Eigen::Index>& rows) {
  Matrix some(static_cast<Eigen::Index>(rows.size()), all.cols());
  for (std::size_t i = 0; i < rows.size(); ++i) some.row(static_cast<Eigen::Index>(i)) = all.row(rows[i]);
  return some;
}

}  // namespace tauhat
