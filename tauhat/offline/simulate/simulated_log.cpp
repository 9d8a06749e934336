#include "tauhat/offline/simulate/simulated_log.hpp"

#include <algorithm>
#include <cmath>

#include "tauhat/offline/log/checks.hpp"

namespace tauhat {

Channel channel_of(const std::string& signal, const std::shared_ptr<const std::vector<double>>& time,
                   std::vector<double> values) {
  Channel channel{.signal = signal, .time = time, .value = std::move(values)};
  channel.missing = count_missing(channel.value);
  channel.constant = is_constant(channel.value);
  channel.clipped_share = clipped_share(channel.value);
  channel.resolution = resolution_of(channel.value);
  return channel;
}

Log simulated_log(const Study& study, const Simulated& data) {
  Log log{.source = "the simulated record", .channels = {}, .diagnostics = {}};
  const auto time = std::make_shared<const std::vector<double>>(data.time);
  std::size_t sensor = 0;
  for (const StudyChannel& channel : study.channels) {
    if (channel.spec.signal != input_signal(study)) {
      log.channels.push_back(channel_of(channel.spec.signal, time, data.sensors[sensor++]));
      continue;
    }
    std::vector<double> input = data.input;
    const auto late =
        static_cast<std::size_t>(std::lround(std::max(channel.spec.delay, 0.0) / study.simulation->period));
    if (late > 0) {
      std::copy_backward(data.input.begin(), data.input.end() - static_cast<std::ptrdiff_t>(late), input.end());
      std::fill_n(input.begin(), late, data.input.front());
    }
    log.channels.push_back(channel_of(channel.spec.signal, time, std::move(input)));
  }
  return log;
}

}  // namespace tauhat
