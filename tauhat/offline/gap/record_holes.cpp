#include "tauhat/offline/gap/record_holes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "tauhat/offline/spelling.hpp"

namespace tauhat {
namespace {

using P = Powertrain<double>;

// The speed between the last two pulses of each wheel.
class PulseSpeeds {
 public:
  void add(int position, double time, double value) {
    Last& last = wheels_[static_cast<std::size_t>(position)];
    if (last.is_known && time > last.time) last.speed = (value - last.value) / (time - last.time);
    last.time = time, last.value = value, last.is_known = true;
  }
  double operator[](int position) const { return wheels_[static_cast<std::size_t>(position)].speed; }

 private:
  struct Last {
    double time = 0.0, value = 0.0, speed = 0.0;
    bool is_known = false;
  };
  std::array<Last, P::kOutputCount> wheels_{};
};

// The rows behind the holes.
std::vector<std::size_t> ends_of_holes(const Timeline& timeline, const GapSpec& spec) {
  std::vector<std::size_t> rows;
  PulseSpeeds speeds;
  for (std::size_t k = 0; k < timeline.size(); ++k) {
    if (k > 0 &&
        is_hole(spec, speeds[P::motor_position], speeds[P::load_position], timeline.time[k] - timeline.time[k - 1]))
      rows.push_back(k);
    for (const Timeline::Sensor& sensor : timeline.sensors)
      if (std::isfinite(sensor.value[k])) speeds.add(sensor.output, timeline.time[k], sensor.value[k]);
  }
  return rows;
}

}  // namespace

bool is_hole(const GapSpec& spec, double motor_speed, double load_speed, double interval) noexcept {
  // A wheel that brakes to a stop passes half of the teeth that its speed foretells; these are four times as many as
  // make a wheel silent.
  constexpr double kTeeth = 20.0;
  constexpr double kLags = 3.0;   // within which the torque has become another, to 5 %
  constexpr double kShort = 0.1;  // s: rows that were lost are bridged
  const auto has_passed = [&](int position, double speed) {
    const double pitch = spec.wheels[static_cast<std::size_t>(position)].pitch;
    return pitch > 0.0 && std::abs(speed) * interval > kTeeth * pitch;
  };
  return interval > std::max(kShort, spec.delay + kLags * spec.drive.lag) &&
         has_passed(P::motor_position, motor_speed) && has_passed(P::load_position, load_speed);
}

Timeline longest_between_holes(Timeline timeline, const GapSpec& spec, std::vector<Diagnostic>& diagnostics) {
  std::vector<std::size_t> borders = ends_of_holes(timeline, spec);
  if (borders.empty()) return timeline;
  const std::size_t holes = borders.size(), first_hole = borders.front();
  borders.push_back(timeline.size());
  const auto length = [&](std::size_t begin, std::size_t end) { return timeline.time[end - 1] - timeline.time[begin]; };
  std::size_t begin = 0, best_begin = 0, best_end = first_hole;
  for (const std::size_t border : borders) {
    if (length(begin, border) > length(best_begin, best_end)) best_begin = begin, best_end = border;
    begin = border;
  }
  const double before = timeline.time[first_hole - 1];
  diagnostics.push_back(
      {"log.hole", Severity::warning,
       fmt::format("No row came in {}, the first {:.3g} s at {:.4g} s after the start, while teeth should have passed: "
                   "the answer is of the longest part between, {:.4g} s of {:.4g} s.",
                   counted(holes, "stretch", "stretches"), timeline.time[first_hole] - before,
                   before - timeline.time.front(), length(best_begin, best_end), length(0, timeline.size()))});
  return timeline.part(best_begin, best_end - best_begin);
}

}  // namespace tauhat
