// A log without a file, checked as a file's is.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "tauhat/offline/log/checks.hpp"
#include "tauhat/offline/log/log.hpp"

namespace tauhat::limits {

// Columns by their signals, all on one clock.
inline Log log_in_memory(const std::vector<std::pair<std::string, std::vector<double>>>& columns,
                         const std::vector<double>& time) {
  const auto clock = std::make_shared<const std::vector<double>>(time);
  Log log{.source = "log", .channels = {}, .diagnostics = {}};
  for (const auto& [signal, values] : columns) {
    Channel channel{.signal = signal, .time = clock, .value = values};
    channel.missing = count_missing(channel.value);
    channel.clipped_share = clipped_share(channel.value);
    channel.resolution = resolution_of(channel.value);
    log.channels.push_back(std::move(channel));
  }
  return log;
}

}  // namespace tauhat::limits
