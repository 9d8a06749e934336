#include "tauhat/offline/log/log.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <optional>
#include <utility>

#include "tauhat/offline/error.hpp"
#include "tauhat/offline/log/checks.hpp"
#include "tauhat/offline/log/clock.hpp"
#include "tauhat/offline/log/csv.hpp"

namespace tauhat {
namespace {

constexpr std::size_t kFewestRows = 10;

// Extensions of text tables; a pipe or a device has none. Other formats get their reader here.
constexpr std::string_view kTextExtensions[] = {"", ".csv", ".txt", ".tsv", ".dat", ".asc", ".log"};

CsvTable read_table(const std::string& path, const std::vector<std::string>& wanted) {
  const std::string extension = path == "-" ? "" : std::filesystem::path(path).extension().string();
  std::string lower = extension;
  std::transform(lower.begin(), lower.end(), lower.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? char(c + 32) : c; });
  if (std::find(std::begin(kTextExtensions), std::end(kTextExtensions), lower) == std::end(kTextExtensions))
    throw Error(ExitCode::unusable_data,
                fmt::format("{}: unknown log format \"{}\"; export it as .csv, .txt, .tsv or .dat", path, extension));
  return read_csv(path, wanted);
}

// The columns to read, each once, and their place in the table.
class WantedColumns {
 public:
  explicit WantedColumns(const LogSpec& spec) {
    add(spec.time.column);
    for (const ChannelSpec& channel : spec.channels) {
      add(channel.column);
      add(channel.time_column);
    }
  }
  const std::vector<std::string>& names() const noexcept { return names_; }
  const CsvColumn& of(const std::string& name, const CsvTable& table) const {
    return table.columns[static_cast<std::size_t>(std::find(names_.begin(), names_.end(), name) - names_.begin())];
  }

 private:
  void add(const std::string& name) {
    if (!name.empty() && std::find(names_.begin(), names_.end(), name) == names_.end()) names_.push_back(name);
  }
  std::vector<std::string> names_;
};

using SharedTime = std::shared_ptr<const std::vector<double>>;

// One clock and the times that channels of different delay read from it.
struct TimeBase {
  Clock clock;
  std::map<double, SharedTime> by_delay;

  const SharedTime& with_delay(double delay) {
    SharedTime& time = by_delay[delay];
    if (time) return time;
    std::vector<double> shifted = clock.time;
    for (double& stamp : shifted) stamp -= delay;
    return time = std::make_shared<const std::vector<double>>(std::move(shifted));
  }
};

const std::string& clock_column(const ChannelSpec& channel, const LogSpec& spec) {
  return channel.time_column.empty() ? spec.time.column : channel.time_column;
}

TimeBase make_time_base(const std::string& column, const LogSpec& spec, const CsvTable& table,
                        const WantedColumns& wanted, std::vector<Diagnostic>& diagnostics) {
  TimeBase base;
  if (column.empty()) {
    if (!(spec.time.rate > 0.0))
      throw Error(ExitCode::unusable_data,
                  fmt::format("{}: the log has neither a time column nor a rate", table.source));
    base.clock = clock_from_rate(table.rows(), spec.time.rate);
  } else {
    std::vector<const CsvColumn*> values;
    for (const ChannelSpec& channel : spec.channels)
      if (clock_column(channel, spec) == column) values.push_back(&wanted.of(channel.column, table));
    const CsvColumn& stamps = wanted.of(column, table);
    base.clock = clock_from_stamps(table, stamps, stamps.time_stamps ? 1.0 : spec.time.scale, values, diagnostics);
  }
  if (base.clock.time.size() < kFewestRows)
    throw Error(ExitCode::unusable_data,
                fmt::format("{}: {} rows; at least {} are needed", table.source, base.clock.time.size(), kFewestRows));
  if (!column.empty()) check_period(base.clock, table, column, diagnostics);
  return base;
}

void check_channel(const Channel& channel, const std::string& column, std::vector<Diagnostic>& diagnostics) {
  const std::string name = fmt::format("Column \"{}\" ({})", column, channel.signal);
  const std::size_t samples = channel.value.size();
  if (channel.missing > 0)
    diagnostics.push_back({"log.missing", Severity::warning,
                           fmt::format("{}: {} of {} samples are missing.", name, channel.missing, samples)});
  if (channel.constant)
    diagnostics.push_back({"log.constant", Severity::warning,
                           fmt::format("{}: all {} samples have the same value.", name, samples - channel.missing)});
  if (channel.clipped_share > 0.0)
    diagnostics.push_back({"log.clipped", Severity::warning,
                           fmt::format("{}: {:.1f} % of the samples sit at the largest or smallest value; the "
                                       "signal looks clipped.",
                                       name, 100.0 * channel.clipped_share)});
}

// An encoder does not saturate: a position that stays at its extreme is a drive at rest.
bool can_clip(const std::string& signal) { return !signal.ends_with(".position"); }

Channel make_channel(const ChannelSpec& spec, const CsvColumn& column, const CsvTable& table, TimeBase& base) {
  if (column.time_stamps)
    throw Error(ExitCode::unusable_data,
                fmt::format("{}: column \"{}\" ({}) holds dates, not numbers", table.source, column.name, spec.signal));
  Channel channel;
  channel.signal = spec.signal;
  channel.time = base.with_delay(spec.delay);
  channel.value.reserve(base.clock.rows.size());
  for (const std::size_t row : base.clock.rows) channel.value.push_back(spec.scale * column.values[row] + spec.offset);
  channel.missing = count_missing(channel.value);
  if (channel.missing == channel.value.size())
    throw Error(ExitCode::unusable_data, fmt::format("{}: column \"{}\" ({}): all {} samples are missing", table.source,
                                                     column.name, spec.signal, channel.missing));
  channel.constant = is_constant(channel.value);
  channel.clipped_share = can_clip(spec.signal) ? clipped_share(channel.value) : 0.0;
  channel.resolution = resolution_of(channel.value);
  return channel;
}

}  // namespace

const Channel* Log::find(const std::string& signal) const noexcept {
  const auto found = std::find_if(channels.begin(), channels.end(),
                                  [&signal](const Channel& channel) { return channel.signal == signal; });
  return found == channels.end() ? nullptr : &*found;
}

Log read_log(const std::string& path, const LogSpec& spec) {
  const WantedColumns wanted(spec);
  const CsvTable table = read_table(path, wanted.names());
  Log log{table.source, {}, {}};
  std::map<std::string, TimeBase> bases;  // by the clock's column
  for (const ChannelSpec& channel : spec.channels) {
    const std::string& clock = clock_column(channel, spec);
    if (!bases.contains(clock)) bases.emplace(clock, make_time_base(clock, spec, table, wanted, log.diagnostics));
    log.channels.push_back(make_channel(channel, wanted.of(channel.column, table), table, bases.at(clock)));
    check_channel(log.channels.back(), channel.column, log.diagnostics);
  }
  return log;
}

}  // namespace tauhat
