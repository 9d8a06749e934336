#include "tauhat/offline/joint/pole_sweep.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "tauhat/core/linear/stationary_filter.hpp"
#include "tauhat/offline/error.hpp"
#include "tauhat/offline/joint/joint_estimator.hpp"
#include "tauhat/offline/joint/observer_gain.hpp"

namespace tauhat {
namespace {

constexpr int kLoadVelocity = index_of(kLinearJointSignals, "load.velocity");
constexpr double kSettling = 0.5;  // s of a record that do not count

double mean_square_innovation(const JointSpec& spec, const ObserverSpec& observer, const std::vector<Timeline>& records,
                              double period) {
  double sum = 0.0, count = 0.0;
  for (const Timeline& record : records) {
    const Timeline::Sensor& sensor = motor_sensor(record);
    const Replay replay = make_joint_estimator(spec, observer, period, sensor.variance)->replay(record, {});
    const auto& innovation = replay.innovations[static_cast<std::size_t>(&sensor - record.sensors.data())].innovation;
    for (auto k = static_cast<std::size_t>(kSettling / period); k < innovation.size(); ++k)
      if (std::isfinite(innovation[k])) sum += innovation[k] * innovation[k], count += 1.0;
  }
  if (!(count > 0.0) || !std::isfinite(sum))
    throw Error(ExitCode::untrusted,
                fmt::format("observer \"{}\": does not follow the record with the study's poles, so that nothing can "
                            "be said of others; begin with slower ones",
                            observer.name));
  return sum / count;
}

// Variances of the link velocity's error and of the innovation.
struct Variances {
  double velocity = 0.0, innovation = 0.0;
};

template <int N>
Variances variances_by(const LinearJoint<double, N>& joint, const ObserverGain<N>& gain,
                       const Matrix<double, N>& process, double sensor, bool predicts) {
  const Matrix<double, 1, N> c = joint_detail::measured_row<N>(), wanted = joint.output(kLoadVelocity);
  const StepNoise<double, N, 1> noise{process, Vector<double, 1>(sensor)};
  const Matrix<double, N> p =
      observer_covariance<double, N, 1>(gain.sampled.transition, c, gain.predictor, noise).covariance;
  Matrix<double, 1, N> seen = wanted;
  double direct = 0.0;
  if (!predicts) seen -= (wanted * gain.filter) * c, direct = wanted.dot(gain.filter);
  return {(seen * p * seen.transpose())(0) + direct * direct * sensor, (c * p * c.transpose())(0) + sensor};
}

struct PolesAtWork {
  Variances by_torque, by_sensor;  // of unit density; of the sensor
  double radius = 0.0;
};

PolesAtWork at_work(const JointSpec& spec, const ObserverSpec& observer, double period, double variance) {
  return with_joint_model(spec, observer, [&](const auto& joint) {
    constexpr int kStates = std::decay_t<decltype(joint)>::kStates;
    const ObserverGain<kStates> gain = observer_gain(joint, observer, period, variance);
    const Vector<double, kStates> direction = joint.by_torque.col(motor_torque_input);
    const auto torque = sampled_noise<double, kStates, 1>(joint.dynamics, direction, Vector<double, 1>(1.0), period);
    return PolesAtWork{variances_by<kStates>(joint, gain, torque, 0.0, observer.predicts),
                       variances_by<kStates>(joint, gain, Matrix<double, kStates>::Zero(), variance, observer.predicts),
                       gain.radius};
  });
}

ObserverSpec faster(ObserverSpec observer, double factor) {
  for (PoleSpec& pole : observer.poles) pole.frequency *= factor;
  return observer;
}

}  // namespace

double SweptPoles::error() const noexcept { return std::hypot(noise, remainder); }

PoleSweep sweep_poles(const JointSpec& spec, const ObserverSpec& observer, const std::vector<Timeline>& records,
                      double period) {
  if (observer.kind != ObserverSpec::Kind::luenberger)
    throw Error(ExitCode::wrong_use, fmt::format("observer \"{}\": has no poles to sweep", observer.name));
  const double variance = observer.sensor_variance.value_or(motor_sensor(records.front()).variance);
  const PolesAtWork given = at_work(spec, observer, period, variance);
  const double seen = mean_square_innovation(spec, observer, records, period) - given.by_sensor.innovation;
  const double density = std::max(seen, 0.0) / given.by_torque.innovation;

  PoleSweep sweep;
  sweep.torque_noise = std::sqrt(density);
  constexpr double kFactor = 1.1892071150027210667;  // 2^(1/4): four to an octave
  double fastest = 0.0, least = std::numeric_limits<double>::infinity();
  for (const PoleSpec& pole : observer.poles) fastest = std::max(fastest, pole.frequency);
  for (int step = -12; step <= 16; ++step) {
    const double factor = std::pow(kFactor, step);
    if (factor * fastest > 0.45 / period) break;  // half the sampling rate, with a margin
    const PolesAtWork work = at_work(spec, faster(observer, factor), period, variance);
    const SweptPoles point{factor, -std::log(100.0) / std::log(work.radius) * period,
                           std::sqrt(work.by_sensor.velocity), std::sqrt(density * work.by_torque.velocity)};
    if (point.error() < least) least = point.error(), sweep.best = sweep.points.size();
    sweep.points.push_back(point);
  }
  sweep.observer = faster(observer, sweep.points[sweep.best].factor);
  return sweep;
}

}  // namespace tauhat
