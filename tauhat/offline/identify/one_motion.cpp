#include "tauhat/offline/identify/one_motion.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "tauhat/offline/error.hpp"
#include "tauhat/offline/other_units.hpp"

namespace tauhat {
namespace {

constexpr double kAlike = 0.97;        // the correlation of two angles of one motion
constexpr double kFactor = 1.6;        // no gap, wind-up or offset makes one angle so much larger over much travel
constexpr double kMuch = 1.0;          // rad between the two: no gear has a gap or a twist of that
constexpr double kNearMistake = 0.15;  // a known mistake within it is named

// An angle over time, of a position, or of a velocity that is held over cells that are empty.
std::vector<double> angle_of(const Timeline& timeline, const Timeline::Sensor& sensor, bool is_velocity) {
  std::vector<double> angle(timeline.size(), 0.0);
  double value = 0.0, sum = 0.0;
  for (std::size_t k = 0; k < timeline.size(); ++k) {
    if (std::isfinite(sensor.value[k])) value = sensor.value[k];
    angle[k] = is_velocity ? sum : value;
    if (k + 1 < timeline.size()) sum += timeline.interval(k) * value;
  }
  return angle;
}

struct Seen {
  std::string signal;
  std::vector<double> angle;  // rad, without its mean
};

std::optional<Seen> seen_by(const Timeline& timeline, int position, int velocity) {
  for (const auto& [output, is_velocity] : {std::pair{position, false}, std::pair{velocity, true}}) {
    for (const auto& sensor : timeline.sensors) {
      if (sensor.output != output) continue;
      Seen seen{sensor.signal, angle_of(timeline, sensor, is_velocity)};
      double mean = 0.0;
      for (const double a : seen.angle) mean += a / static_cast<double>(seen.angle.size());
      for (double& a : seen.angle) a -= mean;
      return seen;
    }
  }
  return {};
}

// "motor.velocity is in rpm, not rad/s", for each unit that explains the factor.
std::vector<std::string> units_that_explain(const Study& study, const Seen& seen, double times_too_large) {
  std::vector<std::string> found;
  const StudyChannel* channel = study.find_channel(seen.signal);
  if (!channel) return found;
  for (const OtherUnit& other : other_units(channel->unit))
    if (std::abs(times_too_large / other.times_too_large - 1.0) < kNearMistake)
      found.push_back(fmt::format("{} is in {}, not in {}", seen.signal, other.unit, channel->unit));
  return found;
}

}  // namespace

void require_one_motion(const Study& study, const Timeline& timeline) {
  const auto motor = seen_by(timeline, Drive::motor_position_output, Drive::motor_velocity_output);
  const auto load = seen_by(timeline, Drive::load_position_output, Drive::load_velocity_output);
  if (!motor || !load) return;
  const double ratio = study.drive.ratio;
  double of_motor = 0.0, of_load = 0.0, both = 0.0, most = 0.0;
  for (std::size_t k = 0; k < timeline.size(); ++k) {
    const double a = motor->angle[k] / ratio, b = load->angle[k];
    of_motor += a * a, of_load += b * b, both += a * b;
    most = std::max(most, std::abs(a - b));
  }
  const double alike = both / std::sqrt(of_motor * of_load);
  const double times = std::copysign(std::sqrt(of_motor / of_load), alike);
  if (!(std::abs(alike) > kAlike) || most < kMuch || (times < kFactor && times > 1.0 / kFactor)) return;
  std::vector<std::string> why = units_that_explain(study, *motor, std::abs(times));
  for (std::string& each : units_that_explain(study, *load, 1.0 / std::abs(times))) why.push_back(std::move(each));
  const bool is_far = std::abs(times) > kFactor || std::abs(times) < 1.0 / kFactor;
  if (is_far) why.push_back(fmt::format("transmission.ratio is {:.4g}, not {:.4g}", std::abs(times) * ratio, ratio));
  if (times < 0.0) why.emplace_back("one of the two has the wrong sign (give it gain = -1)");
  throw Error(ExitCode::unusable_data,
              fmt::format("{}: {} turns {:.3g} times as far as {} and transmission.ratio = {:.4g} make of it{}. "
                          "Correct [log.channels] or [drive]: {}",
                          study.source, motor->signal, std::abs(times), load->signal, ratio,
                          times < 0.0 ? ", and the other way" : "", fmt::format("{}", fmt::join(why, ", or "))));
}

}  // namespace tauhat
