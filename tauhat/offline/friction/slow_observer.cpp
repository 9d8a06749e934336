#include "tauhat/offline/friction/slow_observer.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "tauhat/core/linear/hold.hpp"

namespace tauhat {

namespace {

// Intervals of stretches that are slow, last twenty samples or more and lead nowhere: less far than the noise, or than
// a tenth of what the standstill's speed would.
std::vector<char> find_sticks(const SmoothMotion& motion, double period) {
  constexpr std::size_t kShortest = 20;
  const std::size_t n = motion.velocity.size();
  std::vector<char> sticks(n);
  for (std::size_t first = 0; first < n;) {
    std::size_t last = first;
    while (last < n && std::abs(motion.velocity[last]) < motion.standstill) ++last;
    const std::size_t count = last - first;
    const double reach = 2.0 * motion.noise + 0.1 * motion.standstill * period * static_cast<double>(count);
    if (count >= kShortest && std::abs(motion.position[last - 1] - motion.position[first]) <= reach)
      std::fill_n(sticks.begin() + static_cast<std::ptrdiff_t>(first), count - 1, 1);
    first = last + 1;
  }
  return sticks;
}

}  // namespace

AxisSamples axis_samples(const Axis<double>& axis, const Timeline& timeline, const SmoothMotion& motion) {
  AxisSamples samples;
  samples.period = timeline.median_interval();
  for (const auto& sensor : timeline.sensors) {
    if (sensor.output == Axis<double>::position_output) samples.position = sensor.value;
  }
  if (samples.position.empty()) samples.position = motion.position;
  const std::size_t n = timeline.size();
  samples.force.resize(n);
  samples.sticks = find_sticks(motion, samples.period);
  Axis<double> known = axis;  // the spring is the observer's own
  known.stiffness = 0.0;
  for (std::size_t k = 0; k + 1 < n; ++k) {
    const double middle = 0.5 * (motion.position[k] + motion.position[k + 1]);
    // Held, the axis feels no force at all: friction takes what is applied, and the spring's part.
    samples.force[k] = samples.sticks[k] ? axis.stiffness * middle : known.net_force(middle, timeline.inputs[0][k]);
  }
  return samples;
}

SlowObserver::SlowObserver(const Axis<double>& axis, const AxisSamples& samples, double bandwidth) : samples_(samples) {
  Matrix<double, 2> a;
  a << 0.0, 1.0, -axis.stiffness / axis.mass, -axis.damping / axis.mass;
  const auto step = held<double, 2, 1>(a, Vector<double, 2>(0.0, 1.0 / axis.mass), samples.period);
  transition_ = step.transition;
  by_force_ = step.by_input;
  // Poles of damping 1/sqrt(2):  s^2 + (l1 + d) s + l2 + k + d l1  =  s^2 + sqrt(2) w s + w^2
  const double d = axis.damping / axis.mass, k = axis.stiffness / axis.mass;
  const double l1 = std::numbers::sqrt2 * bandwidth - d, l2 = bandwidth * bandwidth - k - d * l1;
  gain_ = Vector<double, 2>(l1, l2) * samples.period;
}

SlowObserver::Response SlowObserver::run(Vector<double, 2> x, const std::vector<double>* force, double sign,
                                         bool measured) const {
  const std::size_t n = samples_.position.size();
  Response response{std::vector<double>(n), std::vector<double>(n)};
  for (std::size_t k = 0; k < n; ++k) {
    const double y = samples_.position[k];
    const double e = (measured ? y : 0.0) - x[0];
    if (std::isfinite(y)) {
      response.innovation[k] = e;
      x += gain_ * e;
    }
    response.velocity[k] = x[1];
    if (force && k + 1 < n) {
      const Vector<double, 2> next = transition_ * x + by_force_ * (sign * (*force)[k]);
      x = next;
    } else {
      const Vector<double, 2> next = transition_ * x;
      x = next;
    }
  }
  return response;
}

SlowObserver::Response SlowObserver::of_measurement() const {
  return run(Vector<double, 2>::Zero(), &samples_.force, 1.0, true);
}

SlowObserver::Response SlowObserver::of_force(std::vector<double> force) const {
  for (std::size_t k = 0; k < force.size(); ++k) {
    if (samples_.sticks[k]) force[k] = 0.0;
  }
  return run(Vector<double, 2>::Zero(), &force, -1.0, false);
}

SlowObserver::Response SlowObserver::of_start(int state) const {
  return run(Vector<double, 2>::Unit(state), nullptr, 1.0, false);
}

}  // namespace tauhat
