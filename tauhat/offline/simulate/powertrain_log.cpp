#include "tauhat/offline/simulate/powertrain_log.hpp"

#include <cmath>

#include "tauhat/offline/simulate/excitation.hpp"
#include "tauhat/offline/simulate/torque_noise.hpp"

namespace tauhat {

SimulatedPowertrain simulate_powertrain(const GapSpec& spec, const SimulationSpec& simulation,
                                        const std::vector<PulseSpec>& wheels, std::uint64_t seed,
                                        const std::function<void(double)>& progress) {
  using P = Powertrain<double>;
  const auto count = static_cast<std::size_t>(std::lround(simulation.duration / simulation.period)) + 1;
  const Rows rows{count, simulation.period};
  check_excitation(simulation.excitation, rows);
  SimulatedPowertrain result;
  Simulated& data = result.rows;
  data.input = excite(simulation.excitation, rows, seed);
  P drive = spec.drive;
  const PowertrainNode start = steady_start(drive, {.command = data.input.front(),
                                                    .load_torque = simulation.load_torque,
                                                    .load_position = 0.0,
                                                    .load_velocity = simulation.load_velocity,
                                                    .upper_limit = 0.5 * spec.gap - spec.offset,
                                                    .lower_limit = -0.5 * spec.gap - spec.offset});
  drive.mode = start.mode;
  PowertrainTruth truth(drive, start.state, simulation.period);
  TorqueNoise torque(simulation.torque_noise, simulation.period, Random(seed, "torque"));
  Random load(seed, "load");
  const double walk = std::sqrt(drive.noise[P::load_torque] * simulation.period);
  double load_torque = simulation.load_torque;
  const auto later = static_cast<std::size_t>(std::lround(spec.delay / simulation.period));

  data.truth.resize(mode_output + 1);
  data.sensors.resize(wheels.size());
  std::vector<Random> noise;
  for (std::size_t i = 0; i < wheels.size(); ++i) noise.emplace_back(seed, "sensor", i);
  for (std::size_t k = 0; k < count; ++k) {
    data.time.push_back(rows.time(k));
    P now = drive;
    now.mode = truth.mode();
    const double middle = 0.5 * (truth.state()[P::upper_limit] + truth.state()[P::lower_limit]);
    for (int i = 0; i < P::kOutputCount; ++i) {
      const double value = now.output(i, truth.state(), Vector<double, 1>(0.0));
      data.truth[static_cast<std::size_t>(i)].push_back(i == P::gap_position_output ? value - middle : value);
    }
    data.truth.back().push_back(side_of<double>(truth.mode()));
    for (std::size_t i = 0; i < wheels.size(); ++i) {
      if (wheels[i].teeth > 0) continue;
      const Sensor& sensor = simulation.sensors[i];
      const double value = truth.state()[index_of(P::kOutputs, sensor.output)] + sensor.std * noise[i].normal();
      data.sensors[i].push_back(sensor.resolution > 0.0 ? std::round(value / sensor.resolution) * sensor.resolution
                                                        : value);
    }
    if (k + 1 == count) break;
    truth.set_load_torque(load_torque);
    truth.advance(data.input[k > later ? k - later : 0], torque.next());
    load_torque += walk * load.normal();
    if (progress && k % 4096 == 0) progress(static_cast<double>(k) / static_cast<double>(count));
  }
  for (const PowertrainNode& node : truth.nodes()) data.contacts += node.is_event;
  for (std::size_t i = 0; i < wheels.size(); ++i) {
    if (wheels[i].teeth == 0) {
      result.pulses.emplace_back();
      continue;
    }
    Random teeth(seed, "teeth", i);
    const double error = simulation.sensors[i].tooth_error * wheels[i].pitch();
    const ToothedWheel wheel{.teeth = wheels[i].teeth,
                             .phase = wheels[i].phase,
                             .error = draw_tooth_errors(wheels[i].teeth, error, teeth),
                             .missing = wheels[i].missing};
    result.pulses.push_back(passages(wheel, truth.nodes(), index_of(P::kOutputs, simulation.sensors[i].output)));
  }
  return result;
}

}  // namespace tauhat
