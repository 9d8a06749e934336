#include "tauhat/offline/simulate/toothed_wheel.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace tauhat {
namespace {

// Hermite's cubic on s = 0 ... 1.
struct Cubic {
  double a, b, c, d;  // a s^3 + b s^2 + c s + d

  explicit Cubic(const MotionPiece& p)
      : a(2.0 * (p.position - p.end_position) + p.duration * (p.velocity + p.end_velocity)),
        b(3.0 * (p.end_position - p.position) - p.duration * (2.0 * p.velocity + p.end_velocity)),
        c(p.duration * p.velocity),
        d(p.position) {}

  double at(double s) const { return ((a * s + b) * s + c) * s + d; }

  // Where it turns back inside the piece, in rising order.
  std::vector<double> turning_points() const {
    std::vector<double> found;
    const auto add = [&](double s) {
      if (s > 0.0 && s < 1.0) found.push_back(s);
    };
    if (std::abs(a) < 1e-300) {
      if (b != 0.0) add(-c / (2.0 * b));
      return found;
    }
    const double root = b * b - 3.0 * a * c;
    if (root <= 0.0) return found;
    const double q = -(b + std::copysign(std::sqrt(root), b));
    add(q / (3.0 * a));
    if (q != 0.0) add(c / q);
    std::sort(found.begin(), found.end());
    return found;
  }

  // Where it reaches `value` on a piece on which it only rises or only falls.
  double reach(double value, double from, double to) const {
    const bool rises = at(to) > at(from);
    for (int i = 0; i < 60 && to - from > 1e-16; ++i) {
      const double middle = 0.5 * (from + to);
      ((at(middle) < value) == rises ? from : to) = middle;
    }
    return 0.5 * (from + to);
  }
};

double stamped(double time, double timer) { return timer > 0.0 ? std::ceil(time / timer) * timer : time; }

}  // namespace

int tooth_of(long number, int teeth) {
  const auto rest = static_cast<int>(number % teeth);
  return rest < 0 ? rest + teeth : rest;
}

double ToothedWheel::pitch() const { return 2.0 * std::numbers::pi / teeth; }

double ToothedWheel::edge(long number) const {
  const double own = error.empty() ? 0.0 : error[static_cast<std::size_t>(tooth_of(number, teeth))];
  return phase + static_cast<double>(number) * pitch() + own;
}

bool ToothedWheel::is_missing(long number) const { return tooth_of(number, teeth) >= teeth - missing; }

std::vector<double> draw_tooth_errors(int teeth, double std, Random& random) {
  std::vector<double> errors;
  if (std == 0.0) return errors;
  double mean = 0.0;
  for (int i = 0; i < teeth; ++i) {
    errors.push_back(std * random.normal());
    mean += errors.back() / teeth;
  }
  for (double& error : errors) error -= mean;
  return errors;
}

void append_pulses(const ToothedWheel& wheel, const MotionPiece& piece, std::vector<Pulse>& pulses) {
  const Cubic cubic(piece);
  std::vector<double> ends = cubic.turning_points();
  ends.push_back(1.0);
  double from = 0.0;
  for (const double to : ends) {
    const double begin = cubic.at(from), end = cubic.at(to);
    const bool forward = end > begin;
    const double low = std::min(begin, end), high = std::max(begin, end);
    // An edge's error is less than a pitch: look one further on either side.
    const auto first = static_cast<long>(std::floor((low - wheel.phase) / wheel.pitch())) - 1;
    const auto last = static_cast<long>(std::ceil((high - wheel.phase) / wheel.pitch())) + 1;
    const auto pass = [&](long number) {
      const double edge = wheel.edge(number);
      if (edge <= low || edge > high || wheel.is_missing(number)) return;
      const double time = piece.time + piece.duration * cubic.reach(edge, from, to);
      pulses.push_back({stamped(time, wheel.timer), number, forward});
    };
    if (forward) {
      for (long n = first; n <= last; ++n) pass(n);
    } else {
      for (long n = last; n >= first; --n) pass(n);
    }
    from = to;
  }
}

}  // namespace tauhat
