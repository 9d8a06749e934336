#include "tauhat/offline/simulate/timetable.hpp"

#include <algorithm>
#include <cmath>

namespace tauhat {
namespace {

constexpr double kRounding = 1e-9;  // of a sample: closer to one than this is on it

Instant& instant_at(std::vector<Instant>& instants, double offset, double period) {
  const auto same = [&](const Instant& instant) { return std::abs(instant.offset - offset) < kRounding * period; };
  const auto found = std::find_if(instants.begin(), instants.end(), same);
  if (found != instants.end()) return *found;
  Instant added;
  added.offset = offset;
  const auto later = [&](const Instant& instant) { return instant.offset > offset; };
  return *instants.insert(std::find_if(instants.begin(), instants.end(), later), added);
}

}  // namespace

SplitDelay split_delay(double delay, double period) {
  const double samples = delay / period;
  const double whole = std::floor(samples + kRounding);
  const double rest = samples - whole;
  return {static_cast<std::size_t>(whole), rest < kRounding ? 0.0 : rest * period};
}

Timetable make_timetable(const SimulationSpec& spec) {
  Timetable table;
  table.instants.push_back(Instant{});
  const SplitDelay input = split_delay(spec.input_delay, spec.period);
  table.input_rows = input.rows;
  instant_at(table.instants, input.offset, spec.period).input_arrives = true;
  for (std::size_t sensor = 0; sensor < spec.sensors.size(); ++sensor) {
    // t_k - delay lies in the sample before k - rows, unless the delay is a whole number of samples.
    const SplitDelay delay = split_delay(spec.sensors[sensor].delay, spec.period);
    const bool whole = delay.offset == 0.0;
    table.look_rows.push_back(delay.rows + (whole ? 0 : 1));
    const double offset = whole ? 0.0 : spec.period - delay.offset;
    instant_at(table.instants, offset, spec.period).sensors.push_back(sensor);
  }
  return table;
}

}  // namespace tauhat
