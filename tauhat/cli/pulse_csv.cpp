#include "tauhat/cli/pulse_csv.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>

#include "tauhat/cli/csv_text.hpp"
#include "tauhat/offline/simulate/sampled_wheels.hpp"

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

// The log as a table that grows: rows of the simulation and pulses in the order of their times, and wheels with a
// column of their own from the first row on.
class PulseLog {
 public:
  PulseLog(const Study& study, const Simulated& data, const std::vector<std::vector<Pulse>>& pulses_of,
           const std::vector<OutputInfo>& outputs)
      : study_(study),
        data_(data),
        pulses_of_(pulses_of),
        time_name_(study.time.column.empty() ? "time" : study.time.column),
        table_(time_name_) {
    for (const StudyChannel& channel : study.channels)
      if (channel.spec.signal != input_signal(study)) sensors_.push_back(&channel.spec);
    for (std::size_t i = 0; i < sensors_.size(); ++i)
      counted_.push_back(sensors_[i]->pulses ? counter_readings(*sensors_[i]->pulses, pulses_of[i])
                                             : std::vector<double>{});
    place_columns(outputs);
  }

  std::string text() {
    const std::vector<Event> events = this->events();
    for (std::size_t row = 0; row < events.size(); ++row) write_event(row, events[row]);
    for (std::size_t i = 0; i < sensors_.size(); ++i) {
      if (!sensors_[i]->pulses || shares_rows(*sensors_[i])) continue;
      for (std::size_t k = 0; k < pulses_of_[i].size(); ++k) write_pulse(k, i, k);
    }
    return table_.text();
  }

 private:
  bool shares_rows(const ChannelSpec& spec) const { return spec.pulses && spec.column == time_name_; }

  void place_columns(const std::vector<OutputInfo>& outputs) {
    for (const StudyChannel& channel : study_.channels) {
      table_.place(channel.spec.column);
      if (!channel.spec.pulses) continue;
      for (const std::string& name : {channel.spec.pulses->sensor_column, channel.spec.pulses->count_column})
        if (!name.empty()) table_.place(name);
    }
    for (std::size_t i = 0; i < data_.truth.size(); ++i)
      truth_.push_back(table_.place(fmt::format("truth.{}", outputs[i].name)));
  }

  std::vector<Event> events() const {
    const std::vector<double>& time = data_.time;
    std::vector<Event> events;
    for (std::size_t wheel = 0; wheel < sensors_.size(); ++wheel) {
      if (!shares_rows(*sensors_[wheel])) continue;
      const auto& pulses = pulses_of_[wheel];
      for (std::size_t i = 0; i < pulses.size(); ++i) {
        const auto after = std::upper_bound(time.begin(), time.end(), pulses[i].stamp);
        events.push_back(
            {pulses[i].stamp, static_cast<std::size_t>(after - time.begin()) - 1, static_cast<int>(wheel), i});
      }
    }
    for (std::size_t k = 0; k < time.size(); ++k) events.push_back({time[k], k});
    std::stable_sort(events.begin(), events.end(), [](const Event& a, const Event& b) { return a.time < b.time; });
    return events;
  }

  void write_event(std::size_t row, const Event& event) {
    table_.set(row, 0, event.time / study_.time.scale);
    const ChannelSpec& command = study_.find_channel(input_signal(study_))->spec;
    table_.set(row, table_.place(command.column), (data_.input[event.row] - command.offset) / command.scale);
    if (event.wheel >= 0) {
      write_pulse(row, static_cast<std::size_t>(event.wheel), event.pulse);
      return;
    }
    for (std::size_t i = 0; i < sensors_.size(); ++i) {
      const ChannelSpec& spec = *sensors_[i];
      if (spec.pulses) continue;
      table_.set(row, table_.place(spec.column), (data_.sensors[i][event.row] - spec.offset) / spec.scale);
    }
    for (std::size_t i = 0; i < truth_.size(); ++i) table_.set(row, truth_[i], data_.truth[i][event.row]);
  }

  void write_pulse(std::size_t row, std::size_t wheel, std::size_t pulse) {
    const ChannelSpec& spec = *sensors_[wheel];
    table_.set(row, table_.place(spec.column), pulses_of_[wheel][pulse].stamp / spec.scale);
    if (!spec.pulses->sensor_column.empty())
      table_.set(row, table_.place(spec.pulses->sensor_column), spec.pulses->sensor);
    if (spec.pulses->has_count()) table_.set(row, table_.place(spec.pulses->count_column), counted_[wheel][pulse]);
  }

  const Study& study_;
  const Simulated& data_;
  const std::vector<std::vector<Pulse>>& pulses_of_;
  std::string time_name_;
  Columns table_;
  std::vector<const ChannelSpec*> sensors_;
  std::vector<std::vector<double>> counted_;
  std::vector<std::size_t> truth_;
};

}  // namespace

std::string pulse_csv(const Study& study, const Simulated& data, const std::vector<std::vector<Pulse>>& pulses_of,
                      const std::vector<OutputInfo>& outputs) {
  return PulseLog(study, data, pulses_of, outputs).text();
}

}  // namespace tauhat::cli
