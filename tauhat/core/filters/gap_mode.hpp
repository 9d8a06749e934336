// How a powertrain's belief changes between contact and gap.
#pragma once

#include <cmath>

#include "tauhat/core/gaussian.hpp"
#include "tauhat/core/models/powertrain.hpp"

namespace tauhat {

// In contact the position in the gap is the limit, whatever is learned of it later: a copy of its row and column.
template <class T, int N>
void tie(Gaussian<T, N>& belief, int state, int to) noexcept {
  auto& p = belief.padded_covariance;
  belief.mean[state] = belief.mean[to];
  p.row(state) = p.row(to);
  p.col(state) = p.col(to);
  p(state, state) = p(to, to);
}

// What counts as nothing beside the gap, at the shaft: a way, rad, and the torque that twists the shaft by it. In the
// car of Lagerberg and Egardt 0.1 mrad and 1 N m; a drive with a hundredth of its torques has a hundredth of that.
template <class T>
T negligible_way(const Gaussian<T, Powertrain<T>::kStates>& belief) noexcept {
  using P = Powertrain<T>;
  constexpr double kShare = 1.0 / 600.0;
  return constant<T>(kShare) * std::abs(belief.mean[P::upper_limit] - belief.mean[P::lower_limit]);
}
template <class T>
T negligible_torque(const Powertrain<T>& drive, const Gaussian<T, Powertrain<T>::kStates>& belief) noexcept {
  return drive.stiffness * negligible_way(belief);
}

// Of a filter that switches by itself: five times what counts as nothing, 5 N m in that car.
template <class T>
T usual_hysteresis(const Powertrain<T>& drive, const Gaussian<T, Powertrain<T>::kStates>& belief) noexcept {
  return T(5) * negligible_torque(drive, belief);
}

// The mode of a state after a step in `now`. A shaft that is let go of is not let go of for a few newton metres that
// noise may make: it separates when its torque has passed `hysteresis` to the other side.
template <class T>
GapMode next_mode(const Powertrain<T>& drive, const Vector<T, Powertrain<T>::kStates>& x, T hysteresis) noexcept {
  using P = Powertrain<T>;
  const T h = drive.guard_at(x);
  if (drive.mode != GapMode::gap)
    return side_of<T>(drive.mode) * drive.damping * h < -hysteresis ? GapMode::gap : drive.mode;
  // A limit is reached within rounding: an exact comparison would switch back and forth for ever.
  constexpr double kRounding = 1e-9;
  if (x[P::gap_position] >= x[P::upper_limit] - constant<T>(kRounding) && h > T(0)) return GapMode::upper;
  if (x[P::gap_position] <= x[P::lower_limit] + constant<T>(kRounding) && h < T(0)) return GapMode::lower;
  return GapMode::gap;
}

}  // namespace tauhat
