#include "tauhat/offline/simulate/sampled_wheels.hpp"

#include <algorithm>
#include <cmath>

namespace tauhat {

ToothedWheel draw_wheel(const PulseSpec& spec, double tooth_error, std::uint64_t seed, std::size_t number) {
  Random teeth(seed, "teeth", number);
  return {.teeth = spec.teeth,
          .phase = spec.phase,
          .error = draw_tooth_errors(spec.teeth, tooth_error * spec.pitch(), teeth),
          .missing = spec.missing};
}

std::vector<Pulse> passages(const ToothedWheel& wheel, const Simulated& data, const std::vector<OutputInfo>& outputs,
                            const std::string& signal) {
  const std::string body = signal.substr(0, signal.rfind('.'));
  const auto truth_of = [&](const std::string& name) -> const std::vector<double>& {
    const auto at = std::find_if(outputs.begin(), outputs.end(), [&](const OutputInfo& o) { return o.name == name; });
    return data.truth[static_cast<std::size_t>(at - outputs.begin())];
  };
  const std::vector<double>&position = truth_of(signal), &velocity = truth_of(body + ".velocity");
  std::vector<Pulse> pulses;
  for (std::size_t k = 0; k + 1 < data.time.size(); ++k)
    append_pulses(
        wheel,
        {data.time[k], data.time[k + 1] - data.time[k], position[k], velocity[k], position[k + 1], velocity[k + 1]},
        pulses);
  return pulses;
}

std::vector<double> counter_readings(const PulseSpec& wheel, const std::vector<Pulse>& pulses) {
  std::vector<double> all;
  const int seen = wheel.teeth - wheel.missing;
  for (const Pulse& pulse : pulses) {
    const auto turn = static_cast<long>(std::floor(static_cast<double>(pulse.number) / wheel.teeth));
    const long edge = turn * seen + (pulse.number - turn * wheel.teeth);
    auto count = static_cast<double>(pulse.forward ? edge : edge - 1);
    if (wheel.wraps_at > 0.0) count -= wheel.wraps_at * std::floor(count / wheel.wraps_at);
    all.push_back(count);
  }
  return all;
}

}  // namespace tauhat
