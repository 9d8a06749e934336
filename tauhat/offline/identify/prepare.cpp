#include "tauhat/offline/identify/prepare.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tauhat/offline/error.hpp"
#include "tauhat/offline/quantile.hpp"

namespace tauhat {
namespace {

double first_value(const std::vector<double>& values, double otherwise) {
  for (const double v : values) {
    if (std::isfinite(v)) return v;
  }
  return otherwise;
}

// From the first and a later sample of a position, as far apart as ten samples are.
void start_velocity(const Timeline& timeline, const Timeline::Sensor& sensor, double& mean, double& variance) {
  std::vector<std::size_t> seen;
  for (std::size_t k = 0; k < timeline.size() && seen.size() < 11; ++k) {
    if (std::isfinite(sensor.value[k])) seen.push_back(k);
  }
  if (seen.size() < 2) return;
  const double time = timeline.time[seen.back()] - timeline.time[seen.front()];
  mean = (sensor.value[seen.back()] - sensor.value[seen.front()]) / time;
  // Both samples' noise, and as much again as the velocity may change in that time.
  variance = std::max(variance, 2.0 * sensor.variance / (time * time) + 0.01 * mean * mean);
}

// A start without transient: measured states begin at their first sample, the rest at what the motor says; the torque
// is anything up to what the motor gives.
TwoMassPrior start_from_data(const Timeline& timeline, const Drive& drive) {
  TwoMassPrior prior;
  for (int state = 0; state < Drive::kStates; ++state) {
    for (const auto& sensor : timeline.sensors) {
      if (sensor.output != state) continue;
      prior.mean[state] = first_value(sensor.value, 0.0);
      prior.variances[state] = std::max(sensor.variance, prior.variances[state]);
    }
  }
  const auto measured = [&](int output) {
    return std::any_of(timeline.sensors.begin(), timeline.sensors.end(),
                       [&](const auto& s) { return s.output == output; });
  };
  // A velocity that only its position shows is known after a few samples: until then by their differences.
  for (const auto& sensor : timeline.sensors) {
    const int velocity = sensor.output == Drive::motor_position_output  ? Drive::motor_velocity
                         : sensor.output == Drive::load_position_output ? Drive::load_velocity
                                                                        : -1;
    if (velocity < 0 || measured(velocity)) continue;
    start_velocity(timeline, sensor, prior.mean[velocity], prior.variances[velocity]);
  }
  // Without a sensor of its own the load starts where and as fast as the motor says, and no better known.
  const auto as_the_motor = [&](int load, int motor) {
    prior.mean[load] = prior.mean[motor] / drive.ratio;
    prior.variances[load] = std::max(prior.variances[load], prior.variances[motor] / (drive.ratio * drive.ratio));
  };
  if (!measured(Drive::load_position)) as_the_motor(Drive::load_position, Drive::motor_position);
  if (!measured(Drive::load_velocity) && !measured(Drive::load_position))
    as_the_motor(Drive::load_velocity, Drive::motor_velocity);
  double square = 0.0;
  for (const double u : timeline.inputs[0]) square += u * u;
  const double torque = drive.ratio * std::sqrt(square / static_cast<double>(timeline.size()));
  prior.variances[Drive::kStates] = std::max(prior.variances[Drive::kStates], 0.25 * torque * torque);
  return prior;
}

}  // namespace

double noise_from_differences(const std::vector<double>& value) {
  // Third differences of white noise have the variance 1 + 9 + 9 + 1 = 20.
  std::vector<double> size;
  for (std::size_t k = 3; k < value.size(); ++k) {
    const double third = value[k] - 3.0 * value[k - 1] + 3.0 * value[k - 2] - value[k - 3];
    if (std::isfinite(third)) size.push_back(std::abs(third));
  }
  return 1.4826 * quantile_in_place(size, 0.5) / std::sqrt(20.0);
}

Timeline timeline_of(const Study& study, const Log& log, const std::string& input, std::span<const Signal> outputs,
                     std::vector<Diagnostic>& diagnostics) {
  std::vector<std::string> names;
  for (const Signal& output : outputs) names.emplace_back(output.name);
  return timeline_of(study, log, std::vector{input}, names, diagnostics);
}

// A quantised sensor is never better than its step allows.
static double std_of_steps(const Channel& channel) { return channel.resolution / std::sqrt(12.0); }

double estimated_noise(const Channel& channel, std::vector<Diagnostic>& diagnostics) {
  const double std = std::max(noise_from_differences(channel.value), std_of_steps(channel));
  diagnostics.push_back(
      {"noise.estimated", Severity::info,
       fmt::format("{} has no std in the study; {:.3g} was found from its third differences and its step.",
                   channel.signal, std)});
  return std;
}

Timeline timeline_of(const Study& study, const Log& log, const std::vector<std::string>& inputs,
                     const std::vector<std::string>& outputs, std::vector<Diagnostic>& diagnostics) {
  TimelineSpec spec;
  spec.inputs = inputs;
  for (const StudyChannel& channel : study.channels) {
    const std::string& signal = channel.spec.signal;
    if (std::find(inputs.begin(), inputs.end(), signal) != inputs.end()) continue;
    const Channel* logged = log.find(signal);
    if (!logged) throw Error(ExitCode::unusable_data, fmt::format("{}: no channel for {}", log.source, signal));
    const double std =
        std::max({channel.std ? *channel.std : estimated_noise(*logged, diagnostics), std_of_steps(*logged), 1e-12});
    const auto output = std::find(outputs.begin(), outputs.end(), signal);
    spec.sensors.push_back({signal, output == outputs.end() ? -1 : static_cast<int>(output - outputs.begin()), std});
  }
  return make_timeline(log, spec);
}

Prepared prepare(const Study& study, const Log& log) {
  Prepared prepared;
  prepared.diagnostics = log.diagnostics;
  prepared.options = study.identification;
  prepared.options.gate = study.gate;
  prepared.timeline = timeline_of(study, log, "motor.torque", Drive::kOutputs, prepared.diagnostics);
  if (!study.start_is_given) prepared.options.prior = start_from_data(prepared.timeline, study.drive);
  return prepared;
}

}  // namespace tauhat
