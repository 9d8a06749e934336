#include "tauhat/offline/gearbox/hysteresis_diagnostics.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tauhat/offline/identify/prepare.hpp"
#include "tauhat/offline/quantile.hpp"

namespace tauhat {
namespace {

// How far a signal moved within a loop, its noise smoothed away.
double range_of(const std::vector<double>& values, const Loop& loop) {
  const std::size_t count = loop.last() - loop.first();
  const auto smooth =
      moving_average(std::span(values).subspan(loop.first(), count), std::max<std::size_t>(count / 400, 1));
  const auto [least, most] = std::minmax_element(smooth.begin(), smooth.end());
  return *most - *least;
}

void check_reach(const std::vector<LoopResult>& loops, const HysteresisSpec& spec, std::vector<Diagnostic>& found) {
  double widest = 0.0;
  bool widths = false, slopes = false;  // a loop that starts from rest has at least its width at zero torque
  for (const LoopResult& loop : loops) {
    widest = std::max(widest, std::min(loop.loop.largest_torque, -loop.loop.smallest_torque));
    widths = widths || loop.lost_motion || (loop.hysteresis_loss && loop.loop.from_rest);
    slopes = slopes || loop.rigidity;
  }
  const double percent = 100.0 * widest / spec.rated_torque;
  if (!widths && widest < kReached * spec.lost_motion_share() * spec.rated_torque) {
    found.push_back({"test.torque_too_small", Severity::error,
                     fmt::format("The ramps reach only {:.3g} % of the rated torque of {:.4g} N m on both sides; lost "
                                 "motion is read at ±{:.0f} %. Ramp further, or correct rated_torque.",
                                 percent, spec.rated_torque, 100.0 * spec.lost_motion_share())});
  } else if (!widths) {
    found.push_back({"test.no_play_ramp", Severity::error,
                     "No loop is one for the play, so there is no lost motion. Check ramps.play in the study."});
  } else if (!slopes && widest < kReached * spec.rated_torque) {
    found.push_back({"test.rated_torque_not_reached", Severity::error,
                     fmt::format("The ramps reach only {:.3g} % of the rated torque of {:.4g} N m on both sides, so "
                                 "there is no stiffness. Ramp to the rated torque, or correct rated_torque.",
                                 percent, spec.rated_torque)});
  } else if (!slopes) {
    found.push_back(
        {"test.no_stiffness_ramp", Severity::error,
         "No loop is one for the stiffness, or it has too few samples beyond the play. Check ramps.stiffness "
         "in the study, and the sample rate."});
  }
}

void check_start(const std::vector<LoopResult>& loops, std::vector<Diagnostic>& found) {
  bool has_lost_motion = false, rested = false;
  for (const LoopResult& loop : loops) {
    has_lost_motion = has_lost_motion || loop.lost_motion;
    rested = rested || (loop.hysteresis_loss && loop.loop.from_rest);
  }
  if (has_lost_motion || !rested) return;
  found.push_back({"test.starts_from_rest", Severity::warning,
                   "There is no lost motion: each record has one loop, and it begins where friction held the gear, not "
                   "where the loop closes, so that its first branch is not the loop's. Record a second loop."});
}

// A twist that lags the torque by t goes on after the torque has turned, by about (1 - ln 2) rate t / k, and its loop
// is wider by 2 rate t / k: six and a half times as much. Friction alone does not go on.
constexpr double kWidthOverOverrun = 6.5;

double overrun(const TorqueRamp& ramp, const Loop& loop) {
  const std::size_t count = loop.last() - loop.first(), half = std::max<std::size_t>(count / 400, 1);
  const auto smooth = [&](const std::vector<double>& values) {
    return moving_average(std::span(values).subspan(loop.first(), count), half);
  };
  const std::vector<double> torque = smooth(ramp.torque), twist = smooth(ramp.displacement);
  const double largest = *std::max_element(torque.begin(), torque.end());
  // The torque may stay at its largest for a while: it has turned when it has left it for good.
  std::size_t turned = 0;
  for (std::size_t k = 0; k < count; ++k) {
    if (torque[k] > 0.998 * largest) turned = k;
  }
  turned = std::min(turned + half, count - 1);  // so far the smoothing itself goes on
  const double furthest = *std::max_element(twist.begin() + static_cast<std::ptrdiff_t>(turned), twist.end());
  const double noise = noise_from_differences(ramp.displacement) / std::sqrt(static_cast<double>(2 * half + 1));
  return std::max(furthest - twist[turned] - 4.0 * noise, 0.0);
}

void check_speed(const std::vector<HysteresisRecord>& records, const std::vector<LoopResult>& loops,
                 std::vector<Diagnostic>& found) {
  std::vector<double> widened, widths, rates;
  for (const LoopResult& loop : loops) {
    if (loop.rigidity) {
      widened.push_back(kWidthOverOverrun * overrun(records[loop.ramp].ramp, loop.loop));
      rates.push_back(std::abs(loop.loading_rate));
    }
    if (loop.hysteresis_loss) widths.push_back(loop.hysteresis_loss->value);
  }
  if (widened.empty() || widths.empty()) return;
  const double share = median(widened) / std::max(median(widths), 1e-300);
  if (share <= 0.05) return;
  found.push_back(
      {"test.too_fast", Severity::error,
       fmt::format("After the torque has turned the twist still goes on, as if it lagged: about {:.0f} % of "
                   "the loop's width may be lag, not hysteresis. Ramp more slowly (now {:.3g} N m/s).",
                   std::min(100.0 * share, 100.0), median(rates))});
}

void check_output(const std::vector<HysteresisRecord>& records, const std::vector<LoopResult>& loops,
                  std::vector<Diagnostic>& found) {
  for (const LoopResult& loop : loops) {
    const HysteresisRecord& record = records[loop.ramp];
    if (record.output_position.empty()) continue;
    const double moved = range_of(record.output_position, loop.loop);
    const double twisted = range_of(record.ramp.displacement, loop.loop);
    if (moved <= 0.05 * twisted) continue;
    found.push_back(
        {"test.output_moved", Severity::error,
         fmt::format("{}: the locked side moved by {} while the gear twisted by {}. Lock it better, or clamp "
                     "the sensor to the same part.",
                     record.ramp.source, spoken(moved, "rad"), spoken(twisted, "rad"))});
    return;
  }
  // Without a sensor on it: a loop that does not come back to where the one before began has slipped.
  for (std::size_t i = 1; i < loops.size(); ++i) {
    const LoopResult &before = loops[i - 1], &now = loops[i];
    if (before.ramp != now.ramp || !before.hysteresis_loss || !now.hysteresis_loss) continue;
    const double slipped = std::abs(now.zero[1] - before.zero[1]) + std::abs(now.zero[0] - before.zero[0]);
    const double twisted = range_of(records[now.ramp].ramp.displacement, now.loop);
    if (slipped <= 0.5 * twisted) continue;
    found.push_back(
        {"test.output_moved", Severity::error,
         fmt::format("{}: from one loop to the next the whole curve shifts by {}, the loop itself is {} wide: "
                     "something slipped. Lock the output, and record anew.",
                     records[now.ramp].ramp.source, spoken(0.5 * slipped, "rad"), spoken(twisted, "rad"))});
    return;
  }
}

// A zero that drifts shifts each loop by as much against the one before, and half of that goes into its width.
void check_drift(const std::vector<LoopResult>& loops, std::vector<Diagnostic>& found) {
  std::vector<double> shifts, widths;
  for (std::size_t i = 1; i < loops.size(); ++i) {
    const LoopResult &before = loops[i - 1], &now = loops[i];
    if (before.ramp != now.ramp || !before.hysteresis_loss || !now.hysteresis_loss) continue;
    shifts.push_back(0.5 * (now.zero[0] + now.zero[1] - before.zero[0] - before.zero[1]));
    widths.push_back(now.hysteresis_loss->value);
  }
  constexpr double kDrifts = 0.03;
  if (shifts.empty()) return;
  const double shift = median(shifts), width = median(widths);
  if (!(std::abs(shift) > kDrifts * width)) return;
  found.push_back({"test.drifts", Severity::warning,
                   fmt::format("From loop to loop the curve shifts by {}, {:.0f} % of its width: the zero of a sensor "
                               "drifts, or a clamp creeps. Gap and lost motion may be off by half of that. Warm up, "
                               "clamp anew, or ramp faster.",
                               spoken(std::abs(shift), "rad"), 100.0 * std::abs(shift) / width)});
}

}  // namespace

std::vector<Diagnostic> diagnose_hysteresis(const std::vector<HysteresisRecord>& records,
                                            const std::vector<LoopResult>& loops, const HysteresisSpec& spec) {
  std::vector<Diagnostic> found;
  check_reach(loops, spec, found);
  check_start(loops, found);
  check_speed(records, loops, found);
  check_output(records, loops, found);
  check_drift(loops, found);
  const auto repeats =
      std::count_if(loops.begin(), loops.end(), [](const LoopResult& l) { return l.lost_motion.has_value(); });
  if (repeats == 1)
    found.push_back(
        {"test.one_loop", Severity::warning,
         "Lost motion comes from one loop only, so the spread between repeats is not in its interval. Record at "
         "least three."});
  return found;
}

}  // namespace tauhat
