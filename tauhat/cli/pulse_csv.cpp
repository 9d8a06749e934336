#include "tauhat/cli/pulse_csv.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>

#include "tauhat/cli/csv_text.hpp"

namespace tauhat::cli {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

// The columns of the log, in the order of the study, each once, then the truth's.
class Columns {
 public:
  explicit Columns(const std::string& time) { place(time); }

  std::size_t place(const std::string& name) {
    const auto found = std::find(names_.begin(), names_.end(), name);
    if (found != names_.end()) return static_cast<std::size_t>(found - names_.begin());
    names_.push_back(name);
    return names_.size() - 1;
  }
  void set(std::size_t row, std::size_t column, double value) {
    if (rows_.size() <= row) rows_.resize(row + 1);
    if (rows_[row].size() <= column) rows_[row].resize(column + 1, kNone);
    rows_[row][column] = value;
  }
  std::size_t rows() const { return rows_.size(); }
  std::string text() const {
    std::string text;
    for (const std::string& name : names_) text += (text.empty() ? "" : ",") + quoted(name);
    text += '\n';
    for (const auto& row : rows_) {
      for (std::size_t i = 0; i < names_.size(); ++i) {
        if (i > 0) text += ',';
        append_number(text, i < row.size() ? row[i] : kNone);
      }
      text += '\n';
    }
    return text;
  }

 private:
  std::vector<std::string> names_;
  std::vector<std::vector<double>> rows_;
};

// What stands in one row of the log: a row of the simulation, or a pulse.
struct Event {
  double time;
  std::size_t row;  // of the simulation: the last one up to here
  int wheel = -1;   // less than 0: the row itself
  std::size_t pulse = 0;
};

// The pulses that a counter has seen, which goes up and down and begins anew.
std::vector<double> counts(const PulseSpec& wheel, const std::vector<Pulse>& pulses) {
  std::vector<double> all;
  const int seen = wheel.teeth - wheel.missing;
  for (const Pulse& pulse : pulses) {
    const auto turn = static_cast<long>(std::floor(static_cast<double>(pulse.number) / wheel.teeth));
    const long edge = turn * seen + (pulse.number - turn * wheel.teeth);
    double count = static_cast<double>(pulse.forward ? edge : edge - 1);
    if (wheel.wraps_at > 0.0) count -= wheel.wraps_at * std::floor(count / wheel.wraps_at);
    all.push_back(count);
  }
  return all;
}

}  // namespace

std::string pulse_csv(const Study& study, const Simulated& data, const std::vector<std::vector<Pulse>>& pulses_of,
                      const std::vector<OutputInfo>& outputs) {
  const std::string time_name = study.time.column.empty() ? "time" : study.time.column;
  Columns table(time_name);
  std::vector<Event> events;
  const auto& time = data.time;
  std::size_t sensor = 0;
  std::vector<const StudyChannel*> sensors;
  for (const StudyChannel& channel : study.channels) {
    if (channel.spec.signal == input_signal(study)) continue;
    sensors.push_back(&channel);
    const bool shares_rows = channel.spec.pulses && channel.spec.column == time_name;
    const auto wheel = static_cast<int>(sensor++);
    if (!shares_rows) continue;
    const auto& pulses = pulses_of[static_cast<std::size_t>(wheel)];
    for (std::size_t i = 0; i < pulses.size(); ++i) {
      const auto after = std::upper_bound(time.begin(), time.end(), pulses[i].stamp);
      events.push_back({pulses[i].stamp, static_cast<std::size_t>(after - time.begin()) - 1, wheel, i});
    }
  }
  for (std::size_t k = 0; k < time.size(); ++k) events.push_back({time[k], k});
  std::stable_sort(events.begin(), events.end(), [](const Event& a, const Event& b) { return a.time < b.time; });

  for (const StudyChannel& channel : study.channels) {
    table.place(channel.spec.column);
    if (!channel.spec.pulses) continue;
    for (const std::string& name : {channel.spec.pulses->sensor_column, channel.spec.pulses->count_column})
      if (!name.empty()) table.place(name);
  }
  std::vector<std::size_t> truth;
  for (std::size_t i = 0; i < data.truth.size(); ++i)
    truth.push_back(table.place(fmt::format("truth.{}", outputs[i].name)));

  const auto write_pulse = [&](std::size_t row, std::size_t wheel, std::size_t pulse, double count) {
    const ChannelSpec& spec = sensors[wheel]->spec;
    table.set(row, table.place(spec.column), pulses_of[wheel][pulse].stamp / spec.scale);
    if (!spec.pulses->sensor_column.empty())
      table.set(row, table.place(spec.pulses->sensor_column), spec.pulses->sensor);
    if (spec.pulses->has_count()) table.set(row, table.place(spec.pulses->count_column), count);
  };
  std::vector<std::vector<double>> counted;
  for (std::size_t i = 0; i < sensors.size(); ++i)
    counted.push_back(sensors[i]->spec.pulses ? counts(*sensors[i]->spec.pulses, pulses_of[i]) : std::vector<double>{});

  for (std::size_t row = 0; row < events.size(); ++row) {
    const Event& event = events[row];
    table.set(row, 0, event.time / study.time.scale);
    const StudyChannel& command = *study.find_channel(input_signal(study));
    table.set(row, table.place(command.spec.column),
              (data.input[event.row] - command.spec.offset) / command.spec.scale);
    if (event.wheel >= 0) {
      const auto wheel = static_cast<std::size_t>(event.wheel);
      write_pulse(row, wheel, event.pulse, counted[wheel][event.pulse]);
      continue;
    }
    for (std::size_t i = 0; i < sensors.size(); ++i) {
      const ChannelSpec& spec = sensors[i]->spec;
      if (!spec.pulses)
        table.set(row, table.place(spec.column), (data.sensors[i][event.row] - spec.offset) / spec.scale);
    }
    for (std::size_t i = 0; i < truth.size(); ++i) table.set(row, truth[i], data.truth[i][event.row]);
  }
  // Wheels with a column of their own: from the first row on.
  for (std::size_t i = 0; i < sensors.size(); ++i) {
    if (!sensors[i]->spec.pulses || sensors[i]->spec.column == time_name) continue;
    for (std::size_t k = 0; k < pulses_of[i].size(); ++k) write_pulse(k, i, k, counted[i][k]);
  }
  return table.text();
}

}  // namespace tauhat::cli
