#include "tauhat/offline/joint/naive_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tauhat/offline/joint/velocity_quality.hpp"

namespace tauhat {
namespace {

// With r = reference - naive, what the link does and the motor does not show, and s = estimate - naive, what the
// observer adds.
struct Added {
  double there = 0.0, added = 0.0;  // rms of r and s, rad/s
  double share = 0.0;               // <r, s> / <s, s>: 1 where all of s is in r, 0 where nothing is
};
Added what_is_added(const std::vector<double>& estimate, const std::vector<double>& naive,
                    const std::vector<double>& reference, std::size_t first) {
  double rr = 0.0, ss = 0.0, rs = 0.0, count = 0.0;
  for (std::size_t k = first; k < reference.size(); ++k) {
    const double r = reference[k] - naive[k], s = estimate[k] - naive[k];
    if (!std::isfinite(r) || !std::isfinite(s)) continue;
    rr += r * r, ss += s * s, rs += r * s, count += 1.0;
  }
  if (!(count > 0.0)) return {};
  return {std::sqrt(rr / count), std::sqrt(ss / count), ss > 0.0 ? rs / ss : 0.0};
}

// A twentieth of what the two differ by: less added is nothing that a reference could judge.
constexpr double kNothing = 0.05;
// What is nearer by less is as near: a hundredth of a per cent of the motion.
constexpr double kAsNear = 0.01;

std::string reason_of(const JudgedVelocity& observer, const JudgedVelocity& naive, const JudgedBy& by) {
  const Added found = what_is_added(*observer.velocity, *naive.velocity, by.reference, by.first);
  const double late = delay_between(by.reference, *observer.velocity, by.first, by.period);
  const double in_time = fit_percent(shifted(by.reference, late, by.period), *observer.velocity, by.first);
  if (found.added < kNothing * found.there)
    return fmt::format(
        "The joint hardly bends: the observer adds {:.2g} mrad/s to the motor's velocity, and the {:.2g} mrad/s that "
        "the reference has beside it are nearly all its own. A motion that excites the joint would tell.",
        1e3 * found.added, 1e3 * found.there);
  if (in_time > naive.fit + kAsNear && std::abs(late) > 0.1 * by.period)
    return fmt::format(
        "It comes {:.2g} ms {}, and would be nearer, {:.2f} %, without that: look at the clocks of the reference and "
        "of motor.torque.",
        1e3 * std::abs(late), late > 0.0 ? "late" : "early", in_time);
  return fmt::format(
      "Of the {:.2g} mrad/s that the observer adds to the motor's velocity the link has {:.0f} %: the stiffness, the "
      "inertia or the torques that it knows of are wrong, or its gain takes noise for motion.",
      1e3 * found.added, std::clamp(100.0 * found.share, 0.0, 100.0));
}

}  // namespace

NaiveVelocity judge_naive(const std::vector<double>& central, const std::vector<double>& motor_position, double ratio,
                          const JudgedBy& by) {
  return {{"naive", &central, fit_percent(by.reference, central, by.first)},
          fit_percent(by.reference, backward_velocity(motor_position, ratio, by.period), by.first)};
}

std::optional<Diagnostic> compare_with_naive(const std::vector<JudgedVelocity>& observers, const NaiveVelocity& naive,
                                             const JudgedBy& by, const std::string& axis) {
  std::vector<std::string> behind;
  const JudgedVelocity* best = nullptr;
  bool is_worth_it = true;
  for (const JudgedVelocity& observer : observers) {
    if (!(observer.fit < naive.central.fit - kAsNear)) continue;
    behind.push_back(fmt::format("{} {:.2f} %", observer.label, observer.fit));
    is_worth_it = is_worth_it && observer.fit > naive.causal_fit;
    if (!best || observer.fit > best->fit) best = &observer;
  }
  if (!best) return std::nullopt;
  return Diagnostic{
      "observer.worse_than_naive", is_worth_it ? Severity::info : Severity::warning,
      fmt::format("{}On this log the motor's velocity over the ratio is nearer to the link's, FIT {:.2f} %, than {}. "
                  "That velocity looks a sample ahead: by the last two samples, as a controller has it, FIT is {:.2f} "
                  "%. {}",
                  axis.empty() ? "" : axis + ": ", naive.central.fit, fmt::join(behind, ", "), naive.causal_fit,
                  reason_of(*best, naive.central, by))};
}

}  // namespace tauhat
