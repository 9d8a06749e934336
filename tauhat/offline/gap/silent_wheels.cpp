#include "tauhat/offline/gap/silent_wheels.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tauhat/core/models/powertrain.hpp"

namespace tauhat {
namespace {

using P = Powertrain<double>;

// Where a wheel is by its pulses, at those instants.
struct PulseTrack {
  std::vector<double> time, position;  // s, rad at the load's side

  // By the last pulse that has come.
  double at(double when) const {
    const auto next = std::upper_bound(time.begin(), time.end(), when);
    return position[static_cast<std::size_t>(std::max<std::ptrdiff_t>(next - time.begin() - 1, 0))];
  }
};

PulseTrack track_of(const Timeline& timeline, const Timeline::Sensor& sensor, double ratio) {
  PulseTrack track;
  for (std::size_t k = 0; k < timeline.size(); ++k) {
    if (!std::isfinite(sensor.value[k])) continue;
    track.time.push_back(timeline.time[k]);
    track.position.push_back(sensor.value[k] / ratio);
  }
  return track;
}

// A sensor of teeth, with all lengths at the load's side.
struct Wheel {
  const std::string& signal;
  double pitch;    // rad
  double missing;  // teeth of a turn
  PulseTrack track;
};

std::vector<Wheel> wheels_of(const GapSpec& spec, const Timeline& timeline) {
  std::vector<Wheel> wheels;
  for (const auto& sensor : timeline.sensors) {
    const double ratio = sensor.output == P::motor_position_output ? spec.drive.ratio : 1.0;
    const GapSpec::Wheel& teeth = spec.wheels[static_cast<std::size_t>(sensor.output)];
    const double pitch = teeth.pitch / ratio;
    if (sensor.tooth.empty() || !(pitch > 0.0)) continue;
    PulseTrack track = track_of(timeline, sensor, ratio);
    if (!track.time.empty())
      wheels.push_back({sensor.signal, pitch, static_cast<double>(teeth.missing), std::move(track)});
  }
  return wheels;
}

// Between which pulses of `wheel` the other one has turned on, until the record's `end`.
void add_silences(const Wheel& wheel, const Wheel& other, double end, std::vector<Silence>& silences) {
  constexpr double kOwnTeeth = 10.0, kTeethOfTheOther = 3.0;  // which is seen at its pulses alone
  // A tooth that was lost, or missing, is no silence; nor is what the wheel itself has turned by, nor the jump of the
  // other over its own missing teeth.
  const double allowed =
      std::max((kOwnTeeth + wheel.missing) * wheel.pitch, (kTeethOfTheOther + other.missing) * other.pitch);
  const auto& pulses = wheel.track.time;
  for (std::size_t i = 0; i < pulses.size(); ++i) {
    const bool is_last = i + 1 == pulses.size();
    const double next = is_last ? end : pulses[i + 1];
    if (std::abs(other.track.at(next) - other.track.at(pulses[i])) > allowed)
      silences.push_back({wheel.signal, pulses[i], next, is_last});
  }
}

}  // namespace

std::vector<Silence> find_silences(const GapSpec& spec, const Timeline& timeline) {
  std::vector<Silence> silences;
  const std::vector<Wheel> wheels = wheels_of(spec, timeline);
  for (const Wheel& wheel : wheels)
    for (const Wheel& other : wheels)
      if (&other != &wheel) add_silences(wheel, other, timeline.time.back(), silences);
  return silences;
}

std::vector<Diagnostic> diagnose_silences(const std::vector<Silence>& silences, const Timeline& timeline) {
  std::vector<Diagnostic> remarks;
  const auto say = [&](std::string sentence) {
    remarks.push_back({"pulses.silent", Severity::warning, std::move(sentence)});
  };
  const auto after_start = [&](const Silence& silence) { return silence.begin - timeline.time.front(); };
  // Those of one wheel stand together.
  for (auto first = silences.begin(); first != silences.end();) {
    const auto next = std::find_if(first, silences.end(), [&](const Silence& s) { return s.signal != first->signal; });
    const Silence& last = *(next - 1);
    const auto ended = static_cast<std::size_t>(next - first) - (last.lasts ? 1 : 0);
    if (ended > 0)
      say(
          fmt::format("No pulse of {} came for {:.3g} s, {:.4g} s after the start, while the other wheel turned on{}: "
                      "check the sensor and its cable. Which tooth came next is a guess.",
                      first->signal, first->end - first->begin, after_start(*first),
                      ended > 1 ? fmt::format(" ({} times in all)", ended) : ""));
    if (last.lasts)
      say(
          fmt::format("No pulse of {} comes any more {:.4g} s after the start, while the other wheel turns on: check "
                      "the sensor and its cable. What comes after is not used to find the gap.",
                      last.signal, after_start(last)));
    first = next;
  }
  return remarks;
}

Timeline before_lasting_silence(Timeline timeline, const std::vector<Silence>& silences) {
  double until = timeline.time.back();
  for (const Silence& each : silences)
    if (each.lasts) until = std::min(until, each.begin);
  const auto end = std::upper_bound(timeline.time.begin(), timeline.time.end(), until);
  if (end == timeline.time.end()) return timeline;
  return timeline.part(0, static_cast<std::size_t>(end - timeline.time.begin()));
}

}  // namespace tauhat
