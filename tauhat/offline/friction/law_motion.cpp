#include "tauhat/offline/friction/law_motion.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "tauhat/offline/friction/typed_law.hpp"

namespace tauhat {
namespace {

using State = Vector<double, 2>;
constexpr int kVelocity = Axis<double>::velocity;

// One axis with one law, moved over intervals in which the force is held.
template <class Law>
class Mover {
 public:
  Mover(const Axis<double>& axis, const Law& law, double width)
      : axis_(axis),
        law_(law),
        width_(width),
        steepest_(law.steepest_slope() / axis.mass),
        weighs_(axis.gravity_sine != 0.0 || axis.gravity_cosine != 0.0) {}

  // False where it cannot be followed.
  bool advance(State& x, double force, double interval) {
    steps_left_ = std::min(steps_left_ + kStepsPerInterval, kMostSteps);
    return width_ > 0.0 ? creep(x, force, interval) : stick_and_slip(x, force, interval);
  }

 private:
  // On average and, after intervals that took less, in one: a sign so narrow that it takes more is as good as hard.
  static constexpr int kStepsPerInterval = 8, kMostSteps = 400;
  // RK4 leaves (rate h)^5 / 120 of the motion; where the sign turns over, of what is left until friction holds.
  static constexpr double kRateTimesStep = 0.2, kOnTheSlope = 0.5;
  static constexpr double kBarelyMoving = 1e-300;

  // Most axes have no gravity, and its sines are half of the work.
  double net_force(double position, double force) const {
    return weighs_ ? axis_.net_force(position, force) : force - axis_.stiffness * position - axis_.offset;
  }
  State rate(const State& x, double force, double friction) const {
    return {x[kVelocity], (net_force(x[0], force) - axis_.damping * x[kVelocity] - friction) / axis_.mass};
  }

  template <class Friction>
  State moved(const State& from, double force, double h, const Friction& friction) const {
    const auto at = [&](const State& x) { return rate(x, force, friction(x[kVelocity])); };
    const State k1 = at(from), k2 = at(from + h / 2.0 * k1), k3 = at(from + h / 2.0 * k2), k4 = at(from + h * k3);
    return from + h / 6.0 * (k1 + 2.0 * (k2 + k3) + k4);
  }

  // As if the axis went on this way, whatever the sign of its speed.
  double friction_towards(int side, double velocity) const {
    return law_.torque(side * std::max(side * velocity, kBarelyMoving));
  }
  State slid(const State& x, int side, double force, double h) const {
    return moved(x, force, h, [&](double velocity) { return friction_towards(side, velocity); });
  }

  // Which way it breaks away, or 0: it sticks.
  int side_at_rest(const State& x, double force) const {
    const double net = net_force(x[0], force);
    if (net > friction_towards(1, 0.0)) return 1;
    return net < friction_towards(-1, 0.0) ? -1 : 0;
  }

  // When a motion that has turned back within h stands still: Newton's steps, kept between the times that enclose it.
  double time_to_rest(const State& x, int side, double force, double h) const {
    double low = 0.0, high = h, at = h * x[kVelocity] / (x[kVelocity] - slid(x, side, force, h)[kVelocity]);
    for (int i = 0; i < 40; ++i) {
      const State there = slid(x, side, force, at);
      (side * there[kVelocity] >= 0.0 ? low : high) = at;
      const double slope = rate(there, force, friction_towards(side, there[kVelocity]))[kVelocity];
      double next = at - there[kVelocity] / slope;
      const bool is_between = next > low && next < high;
      if (!is_between) next = 0.5 * (low + high);
      if (std::abs(next - at) <= 1e-15 * h) break;
      at = next;
    }
    return at;
  }

  bool stick_and_slip(State& x, double force, double interval) const {
    constexpr int kMostEvents = 20;  // within an interval: a guard, not a limit that physics reaches
    constexpr double kTooMany = 100.0;
    int side = x[kVelocity] > 0.0 ? 1 : x[kVelocity] < 0.0 ? -1 : 0, events = 0;
    for (double left = interval; left > 0.0;) {
      if (side == 0) side = side_at_rest(x, force);
      if (side == 0) return true;  // what acts is held, and so is the axis
      // A law whose sign is hard has a bound of its slope for the jump alone.
      const double slope = std::abs(law_.torque_and_slope(side * std::max(side * x[kVelocity], kBarelyMoving)).slope);
      const double steps = std::max(std::ceil(axis_.fastest_rate(slope) * interval / kRateTimesStep), 1.0);
      if (!(steps < kTooMany)) return false;
      const double h = std::min(left, interval / steps);
      const State end = slid(x, side, force, h);
      if (side * end[kVelocity] >= 0.0) {
        x = end, left = left - h < 1e-9 * interval ? 0.0 : left - h;
        continue;
      }
      if (++events > kMostEvents) return false;
      const double until = time_to_rest(x, side, force, h);
      x = slid(x, side, force, until);
      x[kVelocity] = 0.0, side = 0, left -= until;
    }
    return true;
  }

  // The sign turns over within some widths: there steps are as short as its slope asks for, and none leaps over it.
  bool creep(State& x, double force, double interval) {
    constexpr double kComplete = 6.0;  // widths; tanh is one but for 1e-5
    const double away = kRateTimesStep / axis_.fastest_rate(0.0), near = kOnTheSlope / (steepest_ + 1e-300);
    const auto friction = [&](double velocity) { return law_.torque(velocity); };
    for (double left = interval; left > 0.0;) {
      if (--steps_left_ < 0) return false;
      const double v = x[kVelocity], beyond = std::abs(v) - kComplete * width_;
      double h = std::min(left, std::max(away, 1e-300));
      if (beyond > 0.0) {
        const double slope = std::abs(law_.torque_and_slope(v).slope) / axis_.mass;
        const double braked = std::abs(rate(x, force, friction(v))[kVelocity]);
        h = std::min({h, kRateTimesStep / std::max(slope, 1e-300), std::max(beyond / std::max(braked, 1e-300), near)});
      } else {
        h = std::min(h, near);
      }
      x = moved(x, force, h, friction);
      left = left - h < 1e-9 * interval ? 0.0 : left - h;
    }
    return true;
  }

  const Axis<double>& axis_;
  const Law& law_;
  double width_, steepest_;
  bool weighs_;
  int steps_left_ = kMostSteps;
};

// The narrowest of a law's widths.
double width_of(const FittedLaw& law) {
  if (!has_width(law.kind)) return 0.0;
  if (law.kind == LawKind::smooth_asymmetric_coulomb && law.coefficients.size() == 6)
    return std::min(law.coefficients[4], law.coefficients[5]);
  return law.shape.width;
}

template <class Law>
LawMotion run(Mover<Law> mover, State x, const Timeline& timeline, std::size_t samples) {
  LawMotion motion;
  motion.position.reserve(samples), motion.velocity.reserve(samples);
  double force = 0.0;
  for (std::size_t k = 0; k < samples && x.allFinite(); ++k) {
    motion.position.push_back(x[0]), motion.velocity.push_back(x[kVelocity]);
    if (k + 1 == samples) break;
    // A force that is missing is held.
    if (std::isfinite(timeline.inputs[0][k])) force = timeline.inputs[0][k];
    if (!mover.advance(x, force, timeline.interval(k))) break;
  }
  return motion;
}

}  // namespace

LawMotion move_by_law(const Axis<double>& axis, const FittedLaw& law, const Vector<double, 2>& start,
                      const Timeline& timeline, std::size_t samples) {
  const double width = width_of(law);
  const bool is_smooth = has_width(law.kind);
  if (is_smooth && !(width > 0.0)) return {};
  return with_typed_law(law, [&](const auto& typed) -> LawMotion {
    using Law = std::decay_t<decltype(typed)>;
    if constexpr (FrictionLaw<Law>) {
      return run(Mover<Law>(axis, typed, width), start, timeline, samples);
    } else {
      return {};
    }
  });
}

}  // namespace tauhat
