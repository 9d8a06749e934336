// A log: channels in SI units, each with its own clock, checked and immutable.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tauhat/offline/log/pulses.hpp"
#include "tauhat/offline/report/diagnostic.hpp"

namespace tauhat {

// How a column becomes a channel; the study fills this in.
struct ChannelSpec {
  std::string signal;    // "motor.velocity"
  std::string column{};  // name in the file's header, or "#3" for the third column
  double scale = 1.0;    // SI value = scale * number + offset; includes a torque constant for a current
  double offset = 0.0;
  // Above this value, SI, less comes of it: value (1 - saturation (|value| - saturates_from)). 0: it does not.
  double saturates_from = 0.0, saturation = 0.0;
  double delay = 0.0;         // s; the value was true this long before its stamp
  std::string time_column{};  // its own clock; empty: the log's
  // A toothed wheel's: `column` holds the stamps of its pulses, `scale` seconds a unit, and the values are positions.
  std::optional<PulseSpec> pulses{};
};

// The number of a column in SI. Not inline, so that a log and a stream round alike.
double value_in_si(const ChannelSpec& spec, double number) noexcept;

struct TimeSpec {
  std::string column{};  // empty: no column, use `rate`
  double scale = 1.0;    // s per unit of the column
  double rate = 0.0;     // Hz, where there is no column
};

struct LogSpec {
  TimeSpec time;
  std::vector<ChannelSpec> channels;
};

struct Channel {
  std::string signal;
  std::shared_ptr<const std::vector<double>> time;  // s, strictly increasing; shared by one table's columns
  std::vector<double> value;                        // SI; NaN is a missing sample
  std::vector<int> tooth{};                         // of a wheel's pulses; less than 0: not known yet
  std::size_t missing = 0;
  bool constant = false;
  double clipped_share = 0.0;  // share of samples that sit at the channel's extreme, in runs
  double resolution = 0.0;     // smallest step between different values where quantised, else 0
};

struct Log {
  std::string source;  // file name, for messages
  std::vector<Channel> channels;
  std::vector<Diagnostic> diagnostics;  // gaps, duplicates, backward time, NaN, constant, clipped: counted

  const Channel* find(const std::string& signal) const noexcept;
};

// Reads and checks. "-" is standard input. Throws Error (unusable_data) naming file, line and column.
Log read_log(const std::string& path, const LogSpec& spec);

}  // namespace tauhat
