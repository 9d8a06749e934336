#include "tauhat/offline/friction/axis_motion.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "tauhat/offline/error.hpp"
#include "tauhat/offline/signal/decimate.hpp"
#include "tauhat/offline/signal/differentiate.hpp"
#include "tauhat/offline/signal/zero_phase.hpp"

namespace tauhat {
namespace {

using Series = std::vector<double>;

double sum_of_squares(const Series& values) {
  double sum = 0.0;
  for (const double value : values) sum += value * value;
  return sum;
}

void check(const AxisRecord& record, double cut_off, double trimmed) {
  const auto refuse = [&](const std::string& what) {
    throw Error(ExitCode::unusable_data, record.source + ": " + what);
  };
  const std::size_t size = record.force.size();
  if (!(record.period > 0.0)) refuse(fmt::format("a sampling period of {:g} s: must be positive", record.period));
  if (record.position.size() != size || (!record.velocity.empty() && record.velocity.size() != size)) {
    refuse(fmt::format("position, velocity and force have {}, {} and {} samples: must be equally many",
                       record.position.size(), record.velocity.size(), size));
  }
  for (const Series* values : {&record.position, &record.velocity, &record.force}) {
    const auto hole = std::find_if(values->begin(), values->end(), [](double x) { return !std::isfinite(x); });
    if (hole != values->end()) {
      refuse(fmt::format("sample {} is missing: the regression needs a record without holes", hole - values->begin()));
    }
  }
  if (cut_off >= 0.5 / record.period) {
    refuse(fmt::format("a filter at {:g} Hz, but the record has only {:g} samples a second: choose less than half",
                       cut_off, 1.0 / record.period));
  }
  const double length = static_cast<double>(size) * record.period;
  if (!(length > 2.0 * trimmed + 2.0 * record.period)) {
    refuse(fmt::format("{:.3g} s are too short: {:g} s are dropped at each end; record longer, or drop less", length,
                       trimmed));
  }
}

Series smooth(const Series& values, double cut_off, double period) {
  if (cut_off <= 0.0) return values;
  return filter_zero_phase(butterworth_low_pass(kMotionFilterOrder, 2.0 * cut_off * period), values);
}

// The sensor that the motion is derived from, and how often it is differentiated to become a velocity.
struct MotionSensor {
  const Series& values;
  bool is_velocity;
};

MotionSensor sensor_of(const AxisRecord& record) {
  if (record.velocity.empty()) return {record.position, false};
  return {record.velocity, true};
}

// Variance of the sensor's white noise, seen in what the filter takes away; round-off at least. With h the filter's
// response to an impulse:
//   Var(x - h * x) = sigma^2 (1 - 2 h_0 + sum h^2)
double sensor_variance(const AxisRecord& record, double cut_off, const Series& response) {
  const Series& values = sensor_of(record).values;
  double largest = 0.0;
  for (const double value : values) largest = std::max(largest, std::abs(value));
  const double round_off = 16.0 * std::numeric_limits<double>::epsilon() * largest;
  if (cut_off <= 0.0) return round_off * round_off;  // nothing is taken away: the caller says that there is no noise
  Series removed = smooth(values, cut_off, record.period);
  for (std::size_t k = 0; k < values.size(); ++k) removed[k] -= values[k];
  const double variance = sum_of_squares(removed) / static_cast<double>(removed.size());
  return std::max(variance / (1.0 - 2.0 * response[response.size() / 2] + sum_of_squares(response)),
                  round_off * round_off);
}

void trim(Series& values, std::size_t by) {
  values.erase(values.end() - static_cast<std::ptrdiff_t>(by), values.end());
  values.erase(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(by));
}

}  // namespace

// With g the response of filter, differences and decimation to an impulse:
//   Var(g * x) = sigma^2 sum g^2
MotionNoise noise_of_motion(const AxisRecord& record, double cut_off, int decimation) {
  const double filter_reach = cut_off > 0.0 ? 20.0 / (cut_off * record.period) : 4.0;
  const auto reach = static_cast<std::size_t>(filter_reach) + static_cast<std::size_t>(decimation) * 40;
  Series impulse(2 * reach + 1, 0.0);
  impulse[reach] = 1.0;
  const Series response = smooth(impulse, cut_off, record.period);
  const double variance = sensor_variance(record, cut_off, response);
  const Series velocity = sensor_of(record).is_velocity ? response : differentiate(response, record.period);
  const Series acceleration = differentiate(velocity, record.period);
  return {std::sqrt(variance * sum_of_squares(anti_alias(velocity, decimation))),
          std::sqrt(variance * sum_of_squares(anti_alias(acceleration, decimation)))};
}

AxisMotion differentiate_axis(const AxisRecord& record, double cut_off, double trimmed) {
  check(record, cut_off, trimmed);
  const bool measured = !record.velocity.empty();
  AxisMotion motion;
  motion.period = record.period;
  motion.position = smooth(record.position, cut_off, record.period);
  motion.velocity =
      measured ? smooth(record.velocity, cut_off, record.period) : differentiate(motion.position, record.period);
  motion.acceleration = differentiate(motion.velocity, record.period);
  motion.force = record.force;
  motion.velocity_noise = noise_of_motion(record, cut_off, 1).velocity;
  const auto dropped = static_cast<std::size_t>(std::lround(trimmed / record.period));
  motion.start = static_cast<double>(dropped) * record.period;
  for (Series* values : {&motion.position, &motion.velocity, &motion.acceleration, &motion.force}) {
    trim(*values, dropped);
  }
  return motion;
}

std::vector<double> centred(const std::vector<double>& held) {
  std::vector<double> force = held;
  for (std::size_t k = 1; k < held.size(); ++k) force[k] = 0.5 * (held[k - 1] + held[k]);
  return force;
}

}  // namespace tauhat
