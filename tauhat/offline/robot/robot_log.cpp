#include "tauhat/offline/robot/robot_log.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <utility>

#include "tauhat/offline/error.hpp"
#include "tauhat/offline/log/part.hpp"
#include "tauhat/offline/quantile.hpp"
#include "tauhat/offline/spelling.hpp"

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

// By how much an interval that is bridged is longer than the usual one at most, as a share of it.
double irregularity(const Samples& time, double usual) {
  double worst = 0.0;
  for (std::size_t i = 1; i < time.size(); ++i)
    if (time[i] - time[i - 1] <= kBridgedPeriods * usual) worst = std::max(worst, time[i] - time[i - 1] - usual);
  return worst / usual;
}

// The time that all channels have in common.
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

namespace {

// Where every channel has samples: all of the span, or its parts between the holes of any channel.
struct Stretches {
  std::vector<Span> parts;
  std::vector<Hole> holes;
  std::string first;  // signal that has the first hole

  void say(const Log& log, const Span& span, std::vector<Diagnostic>& diagnostics) const {
    if (holes.empty()) return;
    double kept = 0.0;
    for (const Span& part : parts) kept += part.end - part.begin;
    diagnostics.push_back(
        {"log.hole", Severity::warning,
         fmt::format("{}: a joint is missing in {}, the first ({}) {:.3g} ms at {:.4g} s after the start, and nobody "
                     "knows what it did there. Each part between is a record of its own: {} with {:.4g} s of {:.4g} s.",
                     log.source, counted(holes.size(), "stretch", "stretches"), first, holes.front().milliseconds(),
                     holes.front().begin - span.begin, counted(parts.size(), "part", "parts"), kept,
                     span.end - span.begin)});
  }
};

Stretches stretches_of(const Log& log, const std::vector<Measured>& all, const Span& span, double shortest) {
  Stretches found;
  std::vector<std::pair<Hole, std::string>> holes;
  for (const Measured& measured : all)
    for (const Channel* channel : measured.channels)
      for (const Hole& hole : holes_of(log, channel->signal))
        if (hole.begin < span.end && hole.end > span.begin) holes.emplace_back(hole, channel->signal);
  std::stable_sort(holes.begin(), holes.end(),
                   [](const auto& a, const auto& b) { return a.first.begin < b.first.begin; });
  if (holes.empty()) return {{span}, {}, {}};
  found.first = holes.front().second;
  double begin = span.begin;
  const auto take = [&](double end) {
    if (end - begin >= shortest) found.parts.push_back({begin, end});
  };
  for (const auto& [hole, signal] : holes) {
    if (hole.begin >= begin || found.holes.empty()) found.holes.push_back(hole);  // else another channel's, the same
    take(hole.begin);
    begin = std::max(begin, hole.end);
  }
  take(span.end);
  return found;
}

// All joints over one stretch, at the joints.
RobotRecord record_of(const RobotSpec& robot, const Log& log, const std::vector<Measured>& all, const Span& span,
                      double period) {
  const Measured &position = all[0], &velocity = all[1], &torque = all[2];
  RobotRecord record;
  record.source = log.source;
  record.period = period;
  const auto samples = static_cast<std::size_t>(std::floor((span.end - span.begin) / period + 1e-9)) + 1;
  const auto series = [&](const Measured& measured, auto&& later) {
    std::vector<Samples> each;
    for (const Channel* channel : measured.channels)
      each.push_back(interpolated(*channel, span.begin - later(*channel), period, samples));
    return each;
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

// A rate of the study's own was compared with its cut-off when it was read.
void require_bandwidth(const RobotSpec& robot, const Log& log, double period) {
  if (robot.rows.cut_off * period < 0.5) return;
  throw Error(
      ExitCode::unusable_data,
      fmt::format("{}: is sampled at {:.4g} Hz, and identify.cut_off = {:g} Hz of the study must be below half of "
                  "that: record faster, or give a lower cut_off",
                  log.source, 1.0 / period, robot.rows.cut_off));
}

[[noreturn]] void refuse_short(const Log& log, const Span& span, const Stretches& stretches, double shortest) {
  const std::string where = stretches.holes.empty() ? ""
                                                    : fmt::format(" between holes (the first in {} at {:.4g} s)",
                                                                  stretches.first, stretches.holes.front().begin);
  throw Error(
      ExitCode::unusable_data,
      fmt::format("{}: all joints were recorded together for {:.3g} s only{}; at least {:g} s in a row are needed",
                  log.source, std::max(0.0, span.end - span.begin), where, shortest));
}

}  // namespace

std::vector<RobotRecord> robot_records(const RobotSpec& robot, const Log& log, std::vector<Diagnostic>& diagnostics) {
  const std::vector<Measured> all{find_channels(robot, log, "position"), find_channels(robot, log, "velocity"),
                                  find_channels(robot, log, "torque")};
  const Span span = common_time(all);
  const Samples& stamps = *all.front().channels.front()->time;
  constexpr double kShortest = 1.0;  // s, beside what the filters take from the ends of a part
  if (!(span.end - span.begin >= kShortest)) refuse_short(log, span, {}, kShortest);
  const double shortest = kShortest + 2.0 * robot.rows.trim();
  const Stretches stretches = stretches_of(log, all, span, shortest);
  if (stretches.parts.empty()) refuse_short(log, span, stretches, shortest);
  stretches.say(log, span, diagnostics);
  const double own = median_interval(stamps), uneven = irregularity(stamps, own);
  const double period = robot.rate > 0.0 ? 1.0 / robot.rate : own;
  require_bandwidth(robot, log, period);
  constexpr double kTolerated = 0.5;  // of a period
  if (uneven > kTolerated)
    diagnostics.push_back({"log.interpolated", Severity::info,
                           fmt::format("The samples are up to {:.3g} ms apart; they were interpolated to {:.6g} Hz.",
                                       1e3 * own * (1.0 + uneven), 1.0 / period)});
  std::vector<RobotRecord> records;
  for (const Span& part : stretches.parts) records.push_back(record_of(robot, log, all, part, period));
  return records;
}

const RobotRecord& longest_of(const std::vector<RobotRecord>& records) {
  return *std::max_element(records.begin(), records.end(), [](const RobotRecord& a, const RobotRecord& b) {
    return static_cast<double>(a.samples()) * a.period < static_cast<double>(b.samples()) * b.period;
  });
}

RobotRecord part_of(const RobotRecord& record, double begin, double end) {
  const auto at = [&](double share) {
    return static_cast<std::ptrdiff_t>(share * static_cast<double>(record.samples()));
  };
  const auto cut = [&](const std::vector<std::vector<double>>& series) {
    std::vector<std::vector<double>> all;
    for (const std::vector<double>& each : series) all.emplace_back(each.begin() + at(begin), each.begin() + at(end));
    return all;
  };
  return {record.source, record.period, cut(record.position), cut(record.velocity), cut(record.torque)};
}

namespace {

// What nobody knows is no number.
void forget_holes(const std::vector<Hole>& holes, const Samples& time, Samples& values) {
  for (const Hole& hole : holes)
    for (std::size_t k = 0; k < time.size(); ++k)
      if (time[k] > hole.begin && time[k] < hole.end) values[k] = std::numeric_limits<double>::quiet_NaN();
}

}  // namespace

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
    forget_holes(holes_of(log, channel.signal), *time, channel.value);
    channel.time = time;
  }
  return result;
}

}  // namespace tauhat
