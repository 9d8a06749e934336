// Time stamps as ISO 8601 writes them: "2024-05-01T12:00:00.001", with a space for the T, and with Z or
// +02:00.
#pragma once

#include <optional>
#include <string_view>

namespace tauhat {

struct TimeStamp {
  long day;        // since 1970-01-01
  double seconds;  // since midnight; outside 0..86400 where the zone moved it
};

std::optional<TimeStamp> parse_time_stamp(std::string_view text) noexcept;

}  // namespace tauhat
