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

const Timeline::Sensor& observed_sensor(const Timeline& timeline) {
  const auto position = std::find_if(timeline.sensors.begin(), timeline.sensors.end(),
                                     [](const auto& sensor) { return sensor.output == Axis<double>::position_output; });
  return position == timeline.sensors.end() ? timeline.sensors.front() : *position;
}

AxisSamples axis_samples(const Axis<double>& axis, const Timeline& timeline, const SmoothMotion& motion) {
  AxisSamples samples;
  samples.period = timeline.median_interval();
  const Timeline::Sensor& sensor = observed_sensor(timeline);
  samples.is_velocity = sensor.output == Axis<double>::velocity_output;
  samples.measured = sensor.value;
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

SlowObserver::SlowObserver(const Axis<double>& axis, const AxisSamples& samples, double bandwidth)
    : samples_(samples), sees_position_(!samples.is_velocity || axis.stiffness != 0.0) {
  Matrix<double, 2> a;
  a << 0.0, 1.0, -axis.stiffness / axis.mass, -axis.damping / axis.mass;
  const auto step = held<double, 2, 1>(a, Vector<double, 2>(0.0, 1.0 / axis.mass), samples.period);
  transition_ = step.transition;
  by_force_ = step.by_input;
  const double d = axis.damping / axis.mass, k = axis.stiffness / axis.mass;
  if (samples.is_velocity) {
    // One pole, s + d + l = s + w; the position is what the velocity makes it.
    gain_ = Vector<double, 2>(0.0, bandwidth - d) * samples.period;
    return;
  }
  // Poles of damping 1/sqrt(2):  s^2 + (l1 + d) s + l2 + k + d l1  =  s^2 + sqrt(2) w s + w^2
  const double l1 = std::numbers::sqrt2 * bandwidth - d, l2 = bandwidth * bandwidth - k - d * l1;
  gain_ = Vector<double, 2>(l1, l2) * samples.period;
}

template <class Measured, class Force>
SlowObserver::Response SlowObserver::run(States x, const Measured& measured, const Force& force) const {
  const auto n = static_cast<Eigen::Index>(samples_.measured.size());
  Response response{Eigen::Array4Xd(4, n), Eigen::Array4Xd(4, n)};
  for (Eigen::Index k = 0; k < n; ++k) {
    if (std::isfinite(samples_.measured[static_cast<std::size_t>(k)])) {
      const Eigen::Array4d e = measured(k) - (samples_.is_velocity ? x.velocity : x.position);
      response.innovation.col(k) = e;
      x.position += gain_[0] * e;
      x.velocity += gain_[1] * e;
    } else {
      response.innovation.col(k).setZero();
    }
    response.velocity.col(k) = x.velocity;
    const Eigen::Array4d acts = k + 1 < n ? force(k) : Eigen::Array4d(Eigen::Array4d::Zero());
    const Eigen::Array4d position = transition_(0, 0) * x.position + transition_(0, 1) * x.velocity;
    const Eigen::Array4d velocity = transition_(1, 0) * x.position + transition_(1, 1) * x.velocity;
    x.position = position + by_force_[0] * acts;
    x.velocity = velocity + by_force_[1] * acts;
  }
  return response;
}

SlowObserver::Response SlowObserver::of_motion() const {
  const auto at = [](Eigen::Index k) { return static_cast<std::size_t>(k); };
  return run(
      {{1.0, 0.0, 0.0, 0.0}, {0.0, 1.0, 0.0, 0.0}},
      [&](Eigen::Index k) { return Eigen::Array4d(0.0, 0.0, 0.0, samples_.measured[at(k)]); },
      [&](Eigen::Index k) {
        return Eigen::Array4d(0.0, 0.0, samples_.sticks[at(k)] ? 0.0 : -1.0, samples_.force[at(k)]);
      });
}

SlowObserver::Response SlowObserver::of_forces(const Eigen::Array4Xd& forces) const {
  return run(
      {Eigen::Array4d::Zero(), Eigen::Array4d::Zero()},
      [](Eigen::Index) { return Eigen::Array4d(Eigen::Array4d::Zero()); },
      [&](Eigen::Index k) {
        return samples_.sticks[static_cast<std::size_t>(k)] ? Eigen::Array4d(Eigen::Array4d::Zero())
                                                            : Eigen::Array4d(-forces.col(k));
      });
}

}  // namespace tauhat
