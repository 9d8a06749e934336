#include "tauhat/offline/simulate/simulated_log.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tauhat/offline/error.hpp"
#include "tauhat/offline/log/checks.hpp"
#include "tauhat/offline/simulate/sampled_wheels.hpp"

namespace tauhat {

namespace {

std::ptrdiff_t samples_late(const Study& study, const StudyChannel& channel) {
  constexpr double kRounding = 1e-6;
  const double period = study.simulation->period, samples = channel.spec.delay / period;
  if (std::abs(samples - std::round(samples)) > kRounding)
    throw Error(ExitCode::wrong_use,
                fmt::format("{}: log.channels.\"{}\".delay = {:.6g} s: simulate can only write a whole number of "
                            "samples, which are {:.6g} s apart",
                            study.source, channel.spec.signal, channel.spec.delay, period));
  return static_cast<std::ptrdiff_t>(std::lround(samples));
}

std::vector<double> late(const std::vector<double>& input, std::ptrdiff_t samples) {
  const auto last = static_cast<std::ptrdiff_t>(input.size()) - 1;
  std::vector<double> shown(input.size());
  for (std::ptrdiff_t k = 0; k <= last; ++k)
    shown[static_cast<std::size_t>(k)] =
        input[static_cast<std::size_t>(std::clamp<std::ptrdiff_t>(k - samples, 0, last))];
  return shown;
}

// The positions that a wheel's pulses stand for, at their stamps.
Channel pulses_of(const ChannelSpec& spec, const std::vector<Pulse>& pulses) {
  const std::vector<double> counts = counter_readings(*spec.pulses, pulses);
  Channel channel;
  channel.signal = spec.signal;
  std::vector<double> time;
  PulseCounter counter(*spec.pulses);
  for (std::size_t i = 0; i < pulses.size(); ++i) {
    const auto position = counter.position(pulses[i].stamp, counts[i]);
    if (!position) continue;
    time.push_back(pulses[i].stamp - spec.delay);
    channel.value.push_back(*position + spec.offset);
    channel.tooth.push_back(counter.tooth());
  }
  channel.time = std::make_shared<const std::vector<double>>(std::move(time));
  return channel;
}

}  // namespace

Channel channel_of(const std::string& signal, const std::shared_ptr<const std::vector<double>>& time,
                   std::vector<double> values) {
  Channel channel{.signal = signal, .time = time, .value = std::move(values)};
  channel.missing = count_missing(channel.value);
  channel.constant = is_constant(channel.value);
  channel.clipped_share = clipped_share(channel.value);
  channel.resolution = resolution_of(channel.value);
  return channel;
}

double number_of(const StudyChannel& channel, double value, const std::string& source) {
  const ChannelSpec& spec = channel.spec;
  const double size = std::abs(value), from = spec.saturates_from, slope = spec.saturation;
  double before = value;
  if (slope > 0.0 && size > from) {
    // x (1 - slope (x - from)) = |value|, on the rising branch.
    const double b = 1.0 + slope * from, x = (b - std::sqrt(b * b - 4.0 * slope * size)) / (2.0 * slope);
    if (!(x >= from))
      throw Error(ExitCode::wrong_use,
                  fmt::format("{}: {} cannot be {:.4g} in SI: its saturation in [log.channels] leaves at most {:.4g}",
                              source, spec.signal, value, slope * from < 1.0 ? b * b / (4.0 * slope) : from));
    before = std::copysign(x, value);
  }
  return (before - spec.offset) / spec.scale;
}

std::vector<std::vector<double>> logged_values(const Study& study, const Simulated& data) {
  std::vector<std::vector<double>> values;
  std::size_t sensor = 0;
  for (const StudyChannel& channel : study.channels)
    values.push_back(channel.spec.signal == input_signal(study) ? late(data.input, samples_late(study, channel))
                                                                : data.sensors[sensor++]);
  return values;
}

Log simulated_log(const Study& study, const Simulated& data) {
  Log log{.source = "the simulated record", .channels = {}, .diagnostics = {}};
  std::vector<std::vector<double>> values = logged_values(study, data);
  for (std::size_t i = 0; i < values.size(); ++i) {
    const ChannelSpec& spec = study.channels[i].spec;
    std::vector<double> time = data.time;
    for (double& stamp : time) stamp -= spec.delay;
    log.channels.push_back(
        channel_of(spec.signal, std::make_shared<const std::vector<double>>(std::move(time)), std::move(values[i])));
  }
  return log;
}

Log simulated_log(const Study& study, const SimulatedStudy& simulated) {
  Log log = simulated_log(study, simulated.data);
  if (simulated.pulses.empty()) return log;
  std::size_t sensor = 0;
  for (std::size_t i = 0; i < study.channels.size(); ++i) {
    const ChannelSpec& spec = study.channels[i].spec;
    if (spec.signal == input_signal(study)) continue;
    if (spec.pulses) log.channels[i] = pulses_of(spec, simulated.pulses[sensor]);
    ++sensor;
  }
  return log;
}

}  // namespace tauhat
