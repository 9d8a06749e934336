#include "tauhat/offline/friction/blind.hpp"

#include <algorithm>
#include <cmath>

#include "tauhat/offline/friction/free_friction.hpp"
#include "tauhat/offline/replay/trajectory.hpp"

namespace tauhat {
namespace {

using BlindFilter = Ekf<FreeFriction>;

// Zero crossings of the velocity between stretches that clearly go opposite ways.
std::vector<std::size_t> find_reversals(const std::vector<double>& velocity, double period,
                                        const BlindOptions& options) {
  // Fewer samples than three are no stretch.
  const auto reach = static_cast<std::size_t>(std::max(std::lround(options.reversal_reach / period), 3L));
  std::vector<std::size_t> found;
  for (std::size_t k = reach; k + 1 + reach < velocity.size(); ++k) {
    if (!(velocity[k] * velocity[k + 1] <= 0.0) || velocity[k] == velocity[k + 1]) continue;
    const double before = velocity[k - reach], after = velocity[k + reach];
    const bool clear = std::abs(before) > options.reversal_speed && std::abs(after) > options.reversal_speed;
    if (!clear || before * after > 0.0) continue;
    if (found.empty() || k + 1 - found.back() > reach) found.push_back(k + 1);
  }
  return found;
}

Track track_of(const Trajectory<BlindFilter>& trajectory, int state) {
  Track track;
  for (const auto& step : trajectory.steps) {
    track.value.push_back(step.posterior.mean[state]);
    track.std.push_back(std::sqrt(std::max(step.posterior.covariance()(state, state), 0.0)));
  }
  return track;
}

}  // namespace

std::vector<std::size_t> find_turns(const std::vector<double>& velocity, double clear_speed) {
  std::vector<std::size_t> found;
  double last = 0.0;
  for (std::size_t k = 0; k < velocity.size(); ++k) {
    if (!(std::abs(velocity[k]) > clear_speed)) continue;
    if (velocity[k] * last < 0.0) found.push_back(k);
    last = velocity[k];
  }
  return found;
}

BlindSmoothing smooth_blindly(const Axis<double>& axis, const Timeline& timeline, const BlindOptions& options) {
  const FreeFriction model{axis, options.intensity, 0.0};
  const auto prior =
      Gaussian<double, 3>::from_variances({options.start[0], options.start[1], options.start[2]},
                                          {options.variances[0], options.variances[1], options.variances[2]});
  const double period = timeline.median_interval();
  BlindSmoothing result;
  Trajectory<BlindFilter> trajectory;
  for (int i = 0; i <= options.reversal_passes; ++i) {
    BlindFilter filter(model, prior);
    trajectory.clear();
    double nis = 0.0, likelihood = 0.0, count = 0.0;
    PassOptions<BlindFilter> how{.first = 0, .last = timeline.size(), .store = &trajectory};
    how.flips = &result.reversals;
    how.flipped_state = FreeFriction::kWalk;
    how.flip_variance = options.flip_variance;
    run_pass(filter, timeline, how, [&](std::size_t, std::size_t, const Correction<double>& c) {
      if (c.status == StepStatus::ok) nis += c.nis(), likelihood += c.log_likelihood(), count += 1.0;
    });
    result.mean_nis = count > 0.0 ? nis / count : 0.0;
    result.log_likelihood = likelihood;
    if (i == 0) result.filtered_friction = track_of(trajectory, FreeFriction::kWalk);
    trajectory.smooth();
    result.velocity = track_of(trajectory, Axis<double>::velocity);
    auto reversals = options.reversal_passes > 0 ? find_reversals(result.velocity.value, period, options)
                                                 : std::vector<std::size_t>{};
    const bool settled = reversals == result.reversals;
    result.reversals = std::move(reversals);
    if (settled) break;
  }
  result.position = track_of(trajectory, Axis<double>::position);
  result.friction = track_of(trajectory, FreeFriction::kWalk);
  result.turns = find_turns(result.velocity.value, options.reversal_speed);
  return result;
}

}  // namespace tauhat
