#include "tauhat/offline/simulate/powertrain_log.hpp"

#include <cmath>

#include "tauhat/offline/simulate/excitation.hpp"
#include "tauhat/offline/simulate/random.hpp"

namespace tauhat {
namespace {

using P = Powertrain<double>;

// Gaussian, without a common part: that would be the wheel's phase.
std::vector<double> drawn_errors(const PulseSpec& wheel, double relative, Random random) {
  std::vector<double> errors(static_cast<std::size_t>(wheel.teeth), 0.0);
  if (relative == 0.0) return errors;
  double mean = 0.0;
  for (double& error : errors) {
    error = relative * wheel.pitch() * random.normal();
    mean += error / wheel.teeth;
  }
  for (double& error : errors) error -= mean;
  return errors;
}

std::vector<Pulse> passages(const ToothedWheel& wheel, const std::vector<PowertrainNode>& nodes, int position) {
  std::vector<Pulse> pulses;
  const int velocity = position + 1;
  for (std::size_t i = 0; i + 1 < nodes.size(); ++i) {
    const PowertrainNode &a = nodes[i], &b = nodes[i + 1];
    if (!(b.time > a.time)) continue;
    append_pulses(wheel,
                  {a.time, b.time - a.time, a.state[position], a.state[velocity], b.state[position], b.state[velocity]},
                  pulses);
  }
  return pulses;
}

// A torque beside the command's, as an Ornstein-Uhlenbeck process.
class TorqueNoise {
 public:
  TorqueNoise(double std, double period, Random random)
      : std_(std), kept_(std::exp(-period / kMemory)), random_(random), value_(std * random_.normal()) {}
  double next() {
    const double now = value_;
    value_ = kept_ * value_ + std_ * std::sqrt(1.0 - kept_ * kept_) * random_.normal();
    return now;
  }

 private:
  static constexpr double kMemory = 0.05;  // s
  double std_, kept_;
  Random random_;
  double value_;
};

}  // namespace

PowertrainState steady_start(const GapSpec& spec, double command, double load_torque, double load_velocity,
                             double load_position, GapMode& mode) {
  const P& drive = spec.drive;
  const double acceleration = (drive.ratio * command - load_torque - drive.load_damping * load_velocity) /
                              (drive.load_inertia + drive.ratio * drive.ratio * drive.motor_inertia);
  const double shaft = drive.load_inertia * acceleration + load_torque + drive.load_damping * load_velocity;
  mode = shaft >= 0.0 ? GapMode::upper : GapMode::lower;
  PowertrainState x = PowertrainState::Zero();
  x[P::upper_limit] = 0.5 * spec.gap - spec.offset, x[P::lower_limit] = -0.5 * spec.gap - spec.offset;
  x[P::gap_position] = shaft >= 0.0 ? x[P::upper_limit] : x[P::lower_limit];
  x[P::load_position] = load_position, x[P::load_velocity] = load_velocity;
  x[P::motor_velocity] = drive.ratio * load_velocity;
  x[P::motor_position] = drive.ratio * (load_position + shaft / drive.stiffness + x[P::gap_position]);
  x[P::load_torque] = load_torque, x[P::motor_torque] = command;
  return x;
}

SimulatedPowertrain simulate_powertrain(const GapSpec& spec, const SimulationSpec& simulation,
                                        const std::vector<PulseSpec>& wheels, std::uint64_t seed,
                                        const std::function<void(double)>& progress) {
  const auto count = static_cast<std::size_t>(std::lround(simulation.duration / simulation.period)) + 1;
  const Rows rows{count, simulation.period};
  check_excitation(simulation.excitation, rows);
  SimulatedPowertrain result;
  Simulated& data = result.rows;
  data.input = excite(simulation.excitation, rows, seed);
  P drive = spec.drive;
  const PowertrainState start =
      steady_start(spec, data.input.front(), simulation.load_torque, simulation.load_velocity, 0.0, drive.mode);
  PowertrainTruth truth(drive, start, simulation.period);
  TorqueNoise torque(simulation.torque_noise, simulation.period, Random(seed, "torque"));
  Random load(seed, "load");
  const double walk = std::sqrt(drive.noise[P::load_torque] * simulation.period);
  double load_torque = simulation.load_torque;
  const auto later = static_cast<std::size_t>(std::lround(spec.delay / simulation.period));

  data.truth.resize(P::kOutputCount + 1);
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
      result.errors.emplace_back();
      continue;
    }
    result.errors.push_back(drawn_errors(wheels[i], simulation.sensors[i].tooth_error, Random(seed, "teeth", i)));
    ToothedWheel wheel{.teeth = wheels[i].teeth,
                       .phase = wheels[i].phase,
                       .error = result.errors.back(),
                       .missing = wheels[i].missing};
    result.pulses.push_back(passages(wheel, truth.nodes(), index_of(P::kOutputs, simulation.sensors[i].output)));
  }
  return result;
}

}  // namespace tauhat
