#include "tauhat/offline/robot/force_log.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>

#include "tauhat/offline/identify/prepare.hpp"
#include "tauhat/offline/robot/robot_log.hpp"

namespace tauhat {
namespace {

std::vector<const StudyChannel*> channels_of(const Study& study, const char* quantity) {
  std::vector<const StudyChannel*> channels;
  for (const RobotJoint& joint : study.robot->joints) {
    const StudyChannel* at_joint = study.find_channel(fmt::format("{}.{}", joint.name, quantity));
    channels.push_back(at_joint ? at_joint : study.find_channel(fmt::format("{}.motor.{}", joint.name, quantity)));
  }
  return channels;
}

std::vector<std::string> signals_of(const std::vector<const StudyChannel*>& channels) {
  std::vector<std::string> signals;
  for (const StudyChannel* channel : channels) signals.push_back(channel->spec.signal);
  return signals;
}

// Positions that a velocity leads from stamp to stamp are as far beside it as their noise, and that of their stamps,
// says: a sample that was read a while later than its stamp is a position that is wrong by as much as the joint moved.
double noise_beside(const Channel& position, const Channel& velocity) {
  if (position.time != velocity.time) return 0.0;
  double square = 0.0, count = 0.0;
  for (std::size_t k = 1; k < position.value.size(); ++k) {
    const double led =
        0.5 * (velocity.value[k] + velocity.value[k - 1]) * ((*position.time)[k] - (*position.time)[k - 1]);
    const double beside = position.value[k] - position.value[k - 1] - led;
    if (std::isfinite(beside)) square += beside * beside, count += 1.0;
  }
  return count > 0.0 ? std::sqrt(0.5 * square / count) : 0.0;
}

double noise_of(const Log& log, const Channel& channel, std::vector<Diagnostic>& diagnostics) {
  constexpr double kMuchMore = 3.0;
  const double alone = estimated_noise(channel, diagnostics);
  constexpr std::string_view kPosition = ".position";
  if (!channel.signal.ends_with(kPosition)) return alone;
  const Channel* velocity = log.find(channel.signal.substr(0, channel.signal.size() - kPosition.size()) + ".velocity");
  const double beside = velocity ? noise_beside(channel, *velocity) : 0.0;
  if (!(beside > kMuchMore * alone)) return alone;
  diagnostics.back().message = fmt::format(
      "{} has no std in the study; {:.3g} was found from its steps, which are by as much beside those of "
      "{}: samples are not as old as their stamps say, or the velocity is late.",
      channel.signal, beside, velocity->signal);
  return beside;
}

}  // namespace

std::vector<const StudyChannel*> position_channels(const Study& study) { return channels_of(study, "position"); }
std::vector<const StudyChannel*> torque_channels(const Study& study) { return channels_of(study, "torque"); }

std::vector<const StudyChannel*> velocity_channels(const Study& study) {
  std::vector<const StudyChannel*> channels = channels_of(study, "velocity");
  if (std::find(channels.begin(), channels.end(), nullptr) != channels.end()) channels.clear();
  return channels;
}

std::vector<std::string> torque_signals(const Study& study) { return signals_of(torque_channels(study)); }
std::vector<std::string> motion_signals(const Study& study) {
  std::vector<std::string> signals = signals_of(position_channels(study));
  for (const std::string& velocity : signals_of(velocity_channels(study))) signals.push_back(velocity);
  return signals;
}

Study force_study(const Study& study) {
  Study reduced = study;
  std::vector<std::string> taken = motion_signals(study);
  for (const std::string& torque : torque_signals(study)) taken.push_back(torque);
  std::erase_if(reduced.channels, [&](const StudyChannel& channel) {
    return std::find(taken.begin(), taken.end(), channel.spec.signal) == taken.end();
  });
  return reduced;
}

void complete_noise(const Log& log, Study& study, std::vector<Diagnostic>& diagnostics) {
  for (StudyChannel& channel : study.channels) {
    const Channel* logged = log.find(channel.spec.signal);
    if (channel.std || !logged) continue;
    channel.std = noise_of(log, *logged, diagnostics);
  }
}

Log force_log(const Log& log, const Study& study) {
  const double rate = study.robot->force.rate;
  if (!(rate > 0.0)) return log;
  // A torque that is commanded is held until the next row.
  std::vector<std::string> lines = motion_signals(study), steps = torque_signals(study);
  if (study.robot->torques_sampled) lines.insert(lines.end(), steps.begin(), steps.end()), steps.clear();
  return interpolated_log(log, lines, steps, rate);
}

double force_period(const Study& study, double otherwise) {
  if (study.robot->force.rate > 0.0) return 1.0 / study.robot->force.rate;
  if (study.robot->force.period > 0.0) return study.robot->force.period;
  return study.time.rate > 0.0 ? 1.0 / study.time.rate : otherwise;
}

}  // namespace tauhat
