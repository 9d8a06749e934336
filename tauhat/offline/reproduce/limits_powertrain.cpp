#include "tauhat/offline/reproduce/limits_powertrain.hpp"

#include <algorithm>

#include "tauhat/offline/reproduce/limits_log.hpp"
#include "tauhat/offline/simulate/powertrain_log.hpp"

namespace tauhat::limits {
namespace {

// The stamps of a wheel as its channel.
Channel channel_of(const StudyChannel& described, const std::vector<Pulse>& pulses, const HostilePowertrain& p,
                   Random random) {
  Channel channel;
  channel.signal = described.spec.signal;
  std::vector<double> stamps, time;
  for (const Pulse& pulse : pulses) {
    if (random.uniform() < p.lost) continue;
    stamps.push_back(pulse.stamp + p.stamp_jitter * random.normal());
    if (random.uniform() < p.spurious) stamps.push_back(stamps.back() + 0.3e-3);
  }
  std::sort(stamps.begin(), stamps.end());
  PulseCounter counter(*described.spec.pulses);
  for (const double stamp : stamps) {
    const auto position = counter.position(stamp, 0.0);
    if (!position) continue;
    time.push_back(stamp);
    channel.value.push_back(*position);
    channel.tooth.push_back(counter.tooth());
  }
  channel.time = std::make_shared<const std::vector<double>>(std::move(time));
  return channel;
}

}  // namespace

Log powertrain_log(const HostilePowertrain& p, std::uint64_t seed) {
  std::vector<PulseSpec> wheels;
  for (const Sensor& sensor : p.study.simulation->sensors)
    wheels.push_back(*p.study.find_channel(sensor.output)->spec.pulses);
  SimulatedPowertrain data = simulate_powertrain(p.truth, *p.study.simulation, wheels, seed);
  for (double& command : data.rows.input) command *= p.command_gain;
  Log log = log_in_memory({{"motor.command", data.rows.input}}, data.rows.time);
  for (std::size_t i = 0; i < wheels.size(); ++i)
    log.channels.push_back(channel_of(*p.study.find_channel(p.study.simulation->sensors[i].output), data.pulses[i], p,
                                      Random(seed, "stamps", i)));
  return log;
}

}  // namespace tauhat::limits
