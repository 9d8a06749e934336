#include "tauhat/offline/simulate/powertrain_log.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "tauhat/offline/simulate/excitation.hpp"
#include "tauhat/offline/simulate/sampled_wheels.hpp"
#include "tauhat/offline/simulate/sensors.hpp"
#include "tauhat/offline/simulate/torque_noise.hpp"

namespace tauhat {
namespace {

// A state between two nodes: velocities straight, positions as they follow from them.
double state_at(double time, int state, const PowertrainNode& a, const PowertrainNode& b) {
  using P = Powertrain<double>;
  const double since = time - a.time, whole = b.time - a.time, share = whole > 0.0 ? since / whole : 0.0;
  const bool is_position = state == P::motor_position || state == P::load_position;
  if (!is_position) return a.state[state] + share * (b.state[state] - a.state[state]);
  const double start = a.state[state + 1], end = b.state[state + 1];
  return a.state[state] + since * (start + 0.5 * share * (end - start));
}

// The true values that a sensor sends, one a row; NaN where it sends nothing.
std::vector<double> samples(const std::vector<PowertrainNode>& nodes, int state, const Sensor& sensor, const Rows& rows,
                            Random jitter) {
  const auto every = std::max<std::size_t>(1, static_cast<std::size_t>(std::lround(sensor.period / rows.period)));
  std::vector<double> values(rows.count, std::numeric_limits<double>::quiet_NaN());
  for (std::size_t k = 0; k < rows.count; k += every) {
    const double taken = rows.time(k) - sensor.delay + sensor.jitter * jitter.uniform(-1.0, 1.0);
    const double time = std::clamp(taken, nodes.front().time, nodes.back().time);
    const auto later = std::upper_bound(nodes.begin(), nodes.end(), time,
                                        [](double t, const PowertrainNode& node) { return t < node.time; });
    const auto next = std::min(static_cast<std::size_t>(later - nodes.begin()), nodes.size() - 1);
    values[k] = state_at(time, state, nodes[next > 0 ? next - 1 : 0], nodes[next]);
  }
  return values;
}

}  // namespace

SimulatedPowertrain simulate_powertrain(const GapSpec& spec, const SimulationSpec& simulation,
                                        const std::vector<PulseSpec>& wheels, std::uint64_t seed,
                                        const std::function<void(double)>& progress) {
  using P = Powertrain<double>;
  const auto count = static_cast<std::size_t>(std::lround(simulation.duration / simulation.period)) + 1;
  const Rows rows{count, simulation.period};
  check_excitation(simulation.excitation, rows);
  const std::vector<Signal> signals(P::kOutputs.begin(), P::kOutputs.end());
  for (const Sensor& sensor : simulation.sensors) check_sensor(sensor, signals);
  SimulatedPowertrain result;
  Simulated& data = result.rows;
  data.input = excite(simulation.excitation, rows, seed);
  P drive = spec.drive;
  const PowertrainNode start = steady_start(drive, {.command = spec.gain * data.input.front(),
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
  for (std::size_t k = 0; k < count; ++k) {
    data.time.push_back(rows.time(k));
    P now = drive;
    now.mode = truth.mode();
    const double middle = 0.5 * (truth.state()[P::upper_limit] + truth.state()[P::lower_limit]);
    for (int i = 0; i < P::kOutputCount; ++i) {
      const double value = now.output(i, truth.state(), Vector<double, 1>(0.0));
      data.truth[static_cast<std::size_t>(i)].push_back(i == P::gap_position_output ? value - middle
                                                        : i == P::gain_output       ? spec.gain
                                                                                    : value);
    }
    data.truth.back().push_back(side_of<double>(truth.mode()));
    if (k + 1 == count) break;
    truth.set_load_torque(load_torque);
    truth.advance(spec.gain * data.input[k > later ? k - later : 0], torque.next());
    load_torque += walk * load.normal();
    if (progress && k % 4096 == 0) progress(static_cast<double>(k) / static_cast<double>(count));
  }
  for (const PowertrainNode& node : truth.nodes()) data.contacts += node.is_event;
  for (std::size_t i = 0; i < wheels.size(); ++i) {
    const Sensor& sensor = simulation.sensors[i];
    const int state = index_of(P::kOutputs, sensor.output);
    data.sensors.emplace_back();
    result.pulses.emplace_back();
    if (wheels[i].teeth > 0) {
      const ToothedWheel wheel = draw_wheel(wheels[i], sensor.tooth_error, seed, i);
      result.pulses.back() = passages(wheel, truth.nodes(), state);
    } else {
      data.sensors.back() = samples(truth.nodes(), state, sensor, rows, Random(seed, "jitter", i));
      read_sensor(sensor, seed, i, data.sensors.back());
    }
  }
  return result;
}

}  // namespace tauhat
