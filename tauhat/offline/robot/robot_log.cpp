#include "tauhat/offline/robot/robot_log.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "tauhat/offline/error.hpp"
#include "tauhat/offline/quantile.hpp"

namespace tauhat {
namespace {

using Samples = std::vector<double>;

// One quantity of all joints, each at its joint or at its motor.
struct Measured {
  std::vector<const Channel*> channels;
  std::vector<bool> at_motor;
};

// Empty where a joint lacks it.
Measured find_channels(const RobotSpec& robot, const Log& log, const char* quantity) {
  Measured found;
  for (const RobotJoint& joint : robot.joints) {
    const Channel* at_joint = log.find(fmt::format("{}.{}", joint.name, quantity));
    const Channel* at_motor = log.find(fmt::format("{}.motor.{}", joint.name, quantity));
    if (!at_joint && !at_motor) return {};
    found.channels.push_back(at_joint ? at_joint : at_motor);
    found.at_motor.push_back(at_joint == nullptr);
  }
  return found;
}

// Straight lines between the samples; missing ones are bridged.
Samples interpolated(const Channel& channel, double begin, double period, std::size_t samples) {
  const Samples& time = *channel.time;
  Samples values(samples);
  std::size_t next = 0, before = 0;
  bool has_before = false;
  for (std::size_t k = 0; k < samples; ++k) {
    const double t = begin + static_cast<double>(k) * period;
    while (next < time.size() && (time[next] < t || !std::isfinite(channel.value[next]))) {
      if (std::isfinite(channel.value[next])) before = next, has_before = true;
      ++next;
    }
    if (next == time.size() || !has_before) {
      values[k] = channel.value[next == time.size() ? before : next];  // before the first value, after the last
      continue;
    }
    const double share = (t - time[before]) / (time[next] - time[before]);
    values[k] = channel.value[before] + share * (channel.value[next] - channel.value[before]);
  }
  return values;
}

// The last sample until the next; missing ones are bridged.
Samples held(const Channel& channel, double begin, double period, std::size_t samples) {
  Samples values(samples);
  std::size_t next = 0;
  double last = channel.value.front();
  for (std::size_t k = 0; k < samples; ++k) {
    const double t = begin + static_cast<double>(k) * period;
    for (; next < channel.value.size() && (*channel.time)[next] <= t + 1e-9; ++next)
      if (std::isfinite(channel.value[next])) last = channel.value[next];
    values[k] = last;
  }
  return values;
}

double median_interval(const Samples& time) {
  Samples intervals(time.size() - 1);
  for (std::size_t i = 1; i < time.size(); ++i) intervals[i - 1] = time[i] - time[i - 1];
  return quantile_in_place(intervals, 0.5);
}

// How long after its stamp a torque is at its middle: one that a drive sets is held until the next stamp, that of a
// sensor is the instant's.
double middle_of(const Channel& torque, bool by_sensor) {
  return by_sensor || torque.time->size() < 2 ? 0.0 : median_interval(*torque.time) / 2.0;
}

// By how much an interval is longer than the usual one at most, as a share of it.
double irregularity(const Samples& time, double usual) {
  double worst = 0.0;
  for (std::size_t i = 1; i < time.size(); ++i) worst = std::max(worst, time[i] - time[i - 1] - usual);
  return worst / usual;
}

// The time that all channels have in common.
struct Span {
  double begin, end;
};

Span common_time(const std::vector<Measured>& all) {
  Span span{-JointLimits::kNone, JointLimits::kNone};
  for (const Measured& measured : all) {
    for (const Channel* channel : measured.channels) {
      span.begin = std::max(span.begin, channel->time->front());
      span.end = std::min(span.end, channel->time->back());
    }
  }
  return span;
}

std::vector<Samples> at_joints(std::vector<Samples> series, const JointMap& map) {
  if (map.isIdentity(0.0)) return series;
  const auto joints = static_cast<Eigen::Index>(series.size());
  JointValues values(joints);
  for (std::size_t k = 0; k < series.front().size(); ++k) {
    for (Eigen::Index i = 0; i < joints; ++i) values[i] = series[static_cast<std::size_t>(i)][k];
    values = map.lazyProduct(values).eval();
    for (Eigen::Index i = 0; i < joints; ++i) series[static_cast<std::size_t>(i)][k] = values[i];
  }
  return series;
}

}  // namespace

MotorSides motor_sides(const RobotSpec& robot, const Log& log) {
  return {find_channels(robot, log, "position").at_motor, find_channels(robot, log, "torque").at_motor};
}

RobotRecord robot_record(const RobotSpec& robot, const Log& log, std::vector<Diagnostic>& diagnostics) {
  const Measured position = find_channels(robot, log, "position"), velocity = find_channels(robot, log, "velocity"),
                 torque = find_channels(robot, log, "torque");
  const Span span = common_time({position, velocity, torque});
  const Samples& stamps = *position.channels.front()->time;
  RobotRecord record;
  record.source = log.source;
  record.period = robot.rate > 0.0 ? 1.0 / robot.rate : median_interval(stamps);
  constexpr double kShortest = 1.0;  // s
  if (!(span.end - span.begin >= kShortest))
    throw Error(ExitCode::unusable_data,
                fmt::format("{}: all joints were recorded together for {:.3g} s only; at least "
                            "{:g} s are needed",
                            log.source, std::max(0.0, span.end - span.begin), kShortest));
  const double own = median_interval(stamps), uneven = irregularity(stamps, own);
  constexpr double kTolerated = 0.5;  // of a period
  if (uneven > kTolerated)
    diagnostics.push_back({"log.interpolated", Severity::info,
                           fmt::format("The samples are up to {:.3g} ms apart; they were interpolated to {:.6g} Hz.",
                                       1e3 * own * (1.0 + uneven), 1.0 / record.period)});
  const auto samples = static_cast<std::size_t>(std::floor((span.end - span.begin) / record.period + 1e-9)) + 1;
  const auto series = [&](const Measured& measured, auto&& later) {
    std::vector<Samples> all;
    for (const Channel* channel : measured.channels)
      all.push_back(interpolated(*channel, span.begin - later(*channel), record.period, samples));
    return all;
  };
  const auto at_once = [](const Channel&) { return 0.0; };
  const auto to_its_middle = [&](const Channel& channel) { return middle_of(channel, robot.torques_sampled); };
  const auto motion_map = [&](const Measured& measured) {
    return JointMap(measured_by_joints(robot, measured.at_motor).inverse());
  };
  record.position = at_joints(series(position, at_once), motion_map(position));
  record.torque =
      at_joints(series(torque, to_its_middle), joint_torque_by_measured(robot, torque.at_motor, log.source));
  if (!velocity.channels.empty()) record.velocity = at_joints(series(velocity, at_once), motion_map(velocity));
  return record;
}

Log interpolated_log(const Log& log, const std::vector<std::string>& lines, const std::vector<std::string>& steps,
                     double rate) {
  std::vector<std::string> signals = lines;
  signals.insert(signals.end(), steps.begin(), steps.end());
  Measured measured;
  for (const std::string& signal : signals) measured.channels.push_back(log.find(signal));
  const Span span = common_time({measured});
  if (!(span.end > span.begin))
    throw Error(ExitCode::unusable_data, fmt::format("{}: its joints were not recorded together", log.source));
  const auto samples = static_cast<std::size_t>(std::floor((span.end - span.begin) * rate + 1e-9)) + 1;
  auto time = std::make_shared<std::vector<double>>(samples);
  for (std::size_t k = 0; k < samples; ++k) (*time)[k] = span.begin + static_cast<double>(k) / rate;
  Log result = log;
  for (Channel& channel : result.channels) {
    if (std::find(signals.begin(), signals.end(), channel.signal) == signals.end()) continue;
    const Channel& logged = *log.find(channel.signal);
    const bool is_held = std::find(steps.begin(), steps.end(), channel.signal) != steps.end();
    channel.value =
        is_held ? held(logged, span.begin, 1.0 / rate, samples) : interpolated(logged, span.begin, 1.0 / rate, samples);
    channel.time = time;
  }
  return result;
}

}  // namespace tauhat
