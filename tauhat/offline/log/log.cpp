#include "tauhat/offline/log/log.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <utility>

#include "tauhat/offline/error.hpp"
#include "tauhat/offline/log/checks.hpp"
#include "tauhat/offline/log/clock.hpp"
#include "tauhat/offline/log/csv.hpp"
#include "tauhat/offline/log/formats/formats.hpp"
#include "tauhat/offline/log/parse_log.hpp"
#include "tauhat/offline/log/pulse_stamps.hpp"

namespace tauhat {
namespace {

constexpr std::size_t kFewestRows = 10;

// The columns to read, each once, and their place in the table.
class WantedColumns {
 public:
  explicit WantedColumns(const LogSpec& spec) {
    add(spec.time.column);
    for (const ChannelSpec& channel : spec.channels) {
      add(channel.column);
      add(channel.time_column);
      if (channel.pulses) add(channel.pulses->sensor_column), add(channel.pulses->count_column);
    }
  }
  const std::vector<std::string>& names() const noexcept { return names_; }
  // One of these, or a column that the reader added because it stamps one of them.
  const Column& of(const std::string& name, const Recording& table) const {
    const auto place = std::find(names_.begin(), names_.end(), name);
    if (place != names_.end()) return table.columns[static_cast<std::size_t>(place - names_.begin())];
    return *std::find_if(table.columns.begin(), table.columns.end(), [&](const Column& c) { return c.name == name; });
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

// A channel's clock: its own by the study, the log's by the study, or the one that the file gives it.
const std::string& clock_column(const ChannelSpec& channel, const LogSpec& spec, const Column& column) {
  if (!channel.time_column.empty()) return channel.time_column;
  if (!spec.time.column.empty() || spec.time.rate > 0.0) return spec.time.column;
  return column.clock;
}

// Columns that share a clock share its time base.
struct TimeBaseKey {
  std::string clock;  // a column, or empty: the rate
  std::size_t samples;
  auto operator<=>(const TimeBaseKey&) const = default;
};

TimeBaseKey key_of(const ChannelSpec& channel, const LogSpec& spec, const Column& column) {
  return {clock_column(channel, spec, column), column.values.size()};
}

Clock make_clock(const TimeBaseKey& key, const LogSpec& spec, const Recording& table, const WantedColumns& wanted,
                 std::vector<Diagnostic>& diagnostics) {
  if (key.clock.empty()) {
    if (spec.time.rate > 0.0) return clock_from_rate(key.samples, spec.time.rate);
    throw Error(ExitCode::unusable_data, fmt::format("{}: the log has neither a time column nor a rate", table.source));
  }
  std::vector<const Column*> values;
  for (const ChannelSpec& channel : spec.channels) {
    const Column& column = wanted.of(channel.column, table);
    if (!channel.pulses && key_of(channel, spec, column) == key) values.push_back(&column);
  }
  const Column& stamps = wanted.of(key.clock, table);
  if (stamps.values.size() != key.samples)
    throw Error(ExitCode::unusable_data,
                fmt::format("{}: column \"{}\" has {} samples, but \"{}\", which is to stamp them, has {}",
                            table.source, values.front()->name, key.samples, stamps.name, stamps.values.size()));
  // The file's own clocks are in seconds; one that the study names has the unit that the study gives.
  const bool named = key.clock == spec.time.column ||
                     std::any_of(spec.channels.begin(), spec.channels.end(),
                                 [&](const ChannelSpec& channel) { return channel.time_column == key.clock; });
  const bool in_seconds = stamps.time_stamps || !named;
  return clock_from_stamps(table, stamps, in_seconds ? 1.0 : spec.time.scale, values, diagnostics);
}

TimeBase make_time_base(const TimeBaseKey& key, const LogSpec& spec, const Recording& table,
                        const WantedColumns& wanted, std::vector<Diagnostic>& diagnostics) {
  // Rows of pulses come as the teeth do: neither evenly nor each at a stamp of its own.
  const bool has_pulses = std::any_of(spec.channels.begin(), spec.channels.end(), [&](const ChannelSpec& channel) {
    return channel.pulses && channel.column == key.clock;
  });
  std::vector<Diagnostic> unasked;
  TimeBase base{make_clock(key, spec, table, wanted, has_pulses ? unasked : diagnostics), {}};
  if (base.clock.time.size() < kFewestRows)
    throw Error(ExitCode::unusable_data,
                fmt::format("{}: {} rows; at least {} are needed", table.source, base.clock.time.size(), kFewestRows));
  if (!key.clock.empty() && !has_pulses) check_period(base.clock, table, key.clock, diagnostics);
  return base;
}

void check_channel(const Channel& channel, const std::string& column, std::vector<Diagnostic>& diagnostics) {
  const std::string name = fmt::format("Column \"{}\" ({})", column, channel.signal);
  const std::size_t samples = channel.value.size();
  if (const Presence presence = presence_of(channel.value); presence.missing > 0)
    diagnostics.push_back({"log.missing", Severity::warning,
                           fmt::format("{}: {} of {} samples are missing.", name, presence.missing, presence.due)});
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

Channel make_channel(const ChannelSpec& spec, const Column& column, const Recording& table, TimeBase& base) {
  if (column.time_stamps)
    throw Error(ExitCode::unusable_data,
                fmt::format("{}: column \"{}\" ({}) holds dates, not numbers", table.source, column.name, spec.signal));
  Channel channel;
  channel.signal = spec.signal;
  channel.time = base.with_delay(spec.delay);
  channel.value.reserve(base.clock.rows.size());
  for (const std::size_t row : base.clock.rows) channel.value.push_back(value_in_si(spec, column.values[row]));
  channel.missing = count_missing(channel.value);
  if (channel.missing == channel.value.size())
    throw Error(ExitCode::unusable_data, fmt::format("{}: column \"{}\" ({}): all {} samples are missing", table.source,
                                                     column.name, spec.signal, channel.missing));
  channel.constant = is_constant(channel.value);
  channel.clipped_share = can_clip(spec.signal) ? clipped_share(channel.value) : 0.0;
  channel.resolution = resolution_of(channel.value);
  return channel;
}

// A stamp of a wheel's pulse and what its counter showed.
struct StampedPulse {
  double stamp, count;
};

std::vector<StampedPulse> pulses_in(const ChannelSpec& spec, const Recording& table, const WantedColumns& wanted) {
  const PulseSpec& wheel = *spec.pulses;
  const Column& stamps = wanted.of(spec.column, table);
  const Column* sensor = wheel.sensor_column.empty() ? nullptr : &wanted.of(wheel.sensor_column, table);
  const Column* count = wheel.has_count() ? &wanted.of(wheel.count_column, table) : nullptr;
  const double scale = stamps.time_stamps ? 1.0 : spec.scale;
  std::vector<StampedPulse> pulses;
  for (std::size_t row = 0; row < stamps.values.size(); ++row) {
    if (!std::isfinite(stamps.values[row]) || (sensor && sensor->values[row] != wheel.sensor)) continue;
    const double counted = count ? count->values[row] : 0.0;
    if (!std::isfinite(counted))
      throw Error(ExitCode::unusable_data, fmt::format("{}: column \"{}\" ({}): a pulse without its count",
                                                       table.place_of(row), count->name, spec.signal));
    if (counted != std::floor(counted) || (wheel.wraps_at > 0.0 && (counted < 0.0 || counted >= wheel.wraps_at)))
      throw Error(
          ExitCode::unusable_data,
          fmt::format("{}: column \"{}\" ({}): {:g} is not a count{}", table.place_of(row), count->name, spec.signal,
                      counted, wheel.wraps_at > 0.0 ? fmt::format("; it wraps at {:g}", wheel.wraps_at) : ""));
    pulses.push_back({scale * stamps.values[row], counted});
  }
  return pulses;
}

void check_pulses(const std::string& name, const PulseTally& tally, std::vector<Diagnostic>& diagnostics) {
  const auto say = [&](std::size_t count, const char* code, const char* what) {
    if (count > 0)
      diagnostics.push_back({code, Severity::warning,
                             fmt::format("{}: {} of {} pulses {}.", name, count, tally.pulses + tally.repeated, what)});
  };
  say(tally.late, "pulses.late", "came after a later one and were put in the order of their stamps");
  say(tally.repeated, "pulses.repeated", "came twice and were used once");
  if (tally.unseen > 0) diagnostics.push_back({"teeth.lost", Severity::warning, unseen_in_words(name, tally)});
  if (tally.lost > 0)
    diagnostics.push_back(
        {"pulses.lost", Severity::warning,
         fmt::format("{}: the counter went on by {} more than there are pulses; those were lost.", name, tally.lost)});
}

Channel make_pulse_channel(const ChannelSpec& spec, const Recording& table, const WantedColumns& wanted,
                           std::vector<Diagnostic>& diagnostics) {
  std::vector<StampedPulse> pulses = pulses_in(spec, table, wanted);
  std::vector<double> stamps;
  for (const StampedPulse& pulse : pulses) stamps.push_back(pulse.stamp);
  if (const std::string fault = fault_of_stamps(stamps); !fault.empty())
    throw Error(ExitCode::unusable_data,
                fmt::format("{}: column \"{}\" ({}): {}", table.source, spec.column, spec.signal, fault));
  std::size_t late = 0;
  for (std::size_t i = 1; i < pulses.size(); ++i) late += pulses[i].stamp < pulses[i - 1].stamp;
  if (late > 0)
    std::stable_sort(pulses.begin(), pulses.end(), [](const auto& a, const auto& b) { return a.stamp < b.stamp; });
  PulseCounter counter(*spec.pulses);
  std::vector<double> time;
  Channel channel;
  channel.signal = spec.signal;
  for (const StampedPulse& pulse : pulses) {
    const auto position = counter.position(pulse.stamp, pulse.count);
    if (!position) continue;
    time.push_back(pulse.stamp - spec.delay);
    channel.value.push_back(*position + spec.offset);
    channel.tooth.push_back(counter.tooth());
  }
  const std::string name = fmt::format("Column \"{}\" ({})", spec.column, spec.signal);
  if (time.size() < kFewestRows)
    throw Error(ExitCode::unusable_data, fmt::format("{}: column \"{}\" ({}): {} pulses; at least {} are needed",
                                                     table.source, spec.column, spec.signal, time.size(), kFewestRows));
  PulseTally tally = counter.tally();
  tally.late = late;
  check_pulses(name, tally, diagnostics);
  channel.time = std::make_shared<const std::vector<double>>(std::move(time));
  return channel;
}

// One row an event: a late one stands behind those that came after it. Samples between them keep their stamps, too.
void put_events_in_order(const LogSpec& spec, const WantedColumns& wanted, Recording& table) {
  const bool has_events = std::any_of(spec.channels.begin(), spec.channels.end(), [&](const ChannelSpec& channel) {
    return channel.pulses && channel.column == spec.time.column;
  });
  if (!has_events) return;
  const std::vector<double> stamps = wanted.of(spec.time.column, table).values;
  const bool finite = std::all_of(stamps.begin(), stamps.end(), [](double stamp) { return std::isfinite(stamp); });
  if (!finite || std::is_sorted(stamps.begin(), stamps.end())) return;
  std::vector<std::size_t> order(stamps.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return stamps[a] < stamps[b]; });
  for (Column& column : table.columns) {
    if (column.values.size() != stamps.size()) continue;
    std::vector<double> sorted(stamps.size());
    for (std::size_t i = 0; i < order.size(); ++i) sorted[i] = column.values[order[i]];
    column.values = std::move(sorted);
  }
}

Log checked_log(Recording table, const LogSpec& spec, const WantedColumns& wanted) {
  Log log{table.source, {}, {}};
  // Before rows of events are put in order, which is the wheels' to tell.
  std::map<std::string, Channel> wheels;
  for (const ChannelSpec& channel : spec.channels)
    if (channel.pulses) wheels[channel.signal] = make_pulse_channel(channel, table, wanted, log.diagnostics);
  put_events_in_order(spec, wanted, table);
  std::map<TimeBaseKey, TimeBase> bases;
  for (const ChannelSpec& channel : spec.channels) {
    if (channel.pulses) {
      log.channels.push_back(std::move(wheels.at(channel.signal)));
      continue;
    }
    const Column& column = wanted.of(channel.column, table);
    const TimeBaseKey key = key_of(channel, spec, column);
    if (!bases.contains(key)) bases.emplace(key, make_time_base(key, spec, table, wanted, log.diagnostics));
    log.channels.push_back(make_channel(channel, column, table, bases.at(key)));
    check_channel(log.channels.back(), channel.column, log.diagnostics);
  }
  return log;
}

}  // namespace

[[gnu::noinline]] double value_in_si(const ChannelSpec& spec, double number) noexcept {
  double value = spec.scale * number + spec.offset;
  const double beyond = std::abs(value) - spec.saturates_from;
  if (spec.saturation > 0.0 && beyond > 0.0) value *= std::max(0.0, 1.0 - spec.saturation * beyond);
  return value;
}

const Channel* Log::find(const std::string& signal) const noexcept {
  const auto found = std::find_if(channels.begin(), channels.end(),
                                  [&signal](const Channel& channel) { return channel.signal == signal; });
  return found == channels.end() ? nullptr : &*found;
}

Log read_log(const std::string& path, const LogSpec& spec) {
  const WantedColumns wanted(spec);
  return checked_log(format_of(path).read(path, wanted.names()), spec, wanted);
}

Log parse_log(std::string_view csv, const std::string& source, const LogSpec& spec) {
  const WantedColumns wanted(spec);
  CsvTable table = parse_csv(csv, source, wanted.names());
  return checked_log(std::move(static_cast<Recording&>(table)), spec, wanted);
}

}  // namespace tauhat
