#include "tauhat/offline/simulate/sensors.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "tauhat/offline/simulate/random.hpp"
#include "tauhat/offline/simulate/require.hpp"
#include "tauhat/offline/spelling.hpp"

namespace tauhat {
namespace {

[[noreturn]] void refuse_unknown(const Sensor& sensor, const std::vector<Signal>& outputs) {
  std::vector<std::string> known;
  std::string all;
  for (const Signal& signal : outputs) {
    known.emplace_back(signal.name);
    all += fmt::format("{}{}", all.empty() ? "it has " : ", ", signal.name);
  }
  const std::string nearest = nearest_name(sensor.output, known);
  throw Error(ExitCode::wrong_use,
              fmt::format("the drive has no signal \"{}\" that a sensor could measure; {}", sensor.output,
                          nearest.empty() ? all : fmt::format("did you mean \"{}\"?", nearest)));
}

}  // namespace

void read_sensor(const Sensor& sensor, std::uint64_t seed, std::size_t number, std::vector<double>& values) {
  Random noise(seed, "sensor noise", number), dropout(seed, "sensor dropout", number);
  for (double& value : values) {
    value += sensor.std * noise.normal();
    if (sensor.limit > 0.0) value = std::clamp(value, -sensor.limit, sensor.limit);
    if (sensor.resolution > 0.0) value = sensor.resolution * std::round(value / sensor.resolution);
    if (dropout.uniform() < sensor.dropout) value = std::numeric_limits<double>::quiet_NaN();
  }
}

std::vector<double> late_readings(const Sensor& sensor, std::size_t number, double period, std::uint64_t seed,
                                  const std::vector<double>& truth) {
  const auto late = static_cast<std::size_t>(std::lround(sensor.delay / period));
  std::vector<double> values(truth.size());
  for (std::size_t k = 0; k < values.size(); ++k) values[k] = truth[k > late ? k - late : 0];
  read_sensor(sensor, seed, number, values);
  return values;
}

void check_sensor(const Sensor& sensor, const std::vector<Signal>& outputs) {
  const int output = index_of(outputs, sensor.output);
  if (output < 0) refuse_unknown(sensor, outputs);
  const std::string_view unit = outputs[static_cast<std::size_t>(output)].unit;
  const auto key = [&](const char* name) { return fmt::format("sensor \"{}\": {}", sensor.output, name); };
  require_not_negative(key("std"), sensor.std, unit);
  require_not_negative(key("resolution"), sensor.resolution, unit);
  require_not_negative(key("limit"), sensor.limit, unit);
  require_not_negative(key("delay"), sensor.delay, "s");
  require_not_negative(key("dropout"), sensor.dropout, "");
  if (sensor.dropout > 1.0) refuse(key("dropout"), sensor.dropout, "", "is a probability, at most 1");
}

}  // namespace tauhat
