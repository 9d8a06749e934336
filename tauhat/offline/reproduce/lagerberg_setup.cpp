#include "tauhat/offline/reproduce/lagerberg_setup.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "tauhat/offline/simulate/random.hpp"

namespace tauhat::lagerberg {
namespace {

using P = Powertrain<double>;

constexpr std::size_t kRows = static_cast<std::size_t>(kDuration / kPeriod);

// Steps of the commanded torque, N m; the two ramps lie between them.
struct Step {
  double time, torque;
  bool is_shifted;
};
constexpr Step kSteps[] = {{0.0, 30, false}, {1.0, -25, true},  {2.5, 70, true},   {4.0, -25, true}, {5.0, 50, true},
                           {6.2, -25, true}, {10.5, 90, false}, {11.7, -30, true}, {13.2, 30, true}, {14.4, -25, true}};

std::vector<double> draw_command(std::uint64_t seed) {
  Random random(seed, "manoeuvre");
  const double scale = random.uniform(0.85, 1.15);
  std::vector<Step> steps(std::begin(kSteps), std::end(kSteps));
  for (Step& step : steps) {
    if (step.is_shifted) step.time += random.uniform(-0.1, 0.1);
  }
  std::vector<double> command;
  for (std::size_t k = 0; k < kRows; ++k) {
    const double t = static_cast<double>(k) * kPeriod;
    double torque = 0.0;
    for (const Step& step : steps) {
      if (t >= step.time - 1e-9) torque = step.torque;
    }
    if (t >= 7.5 && t < 9.0) torque = -25.0 + 65.0 * (t - 7.5) / 1.5;
    if (t >= 9.0 && t < 10.5) torque = 40.0 - 60.0 * (t - 9.0) / 1.5;
    command.push_back(scale * torque);
  }
  return command;
}

// In contact, at the twist of a steady acceleration.
PowertrainState draw_start(const P& drive, double command, double load_torque, std::uint64_t seed, GapMode& mode) {
  Random random(seed, "start");
  const double speed = random.uniform(9.0, 11.0), angle = random.uniform(0.0, 2.0 * std::numbers::pi);
  const double acceleration = (drive.ratio * command - load_torque - drive.load_damping * speed) /
                              (drive.load_inertia + drive.ratio * drive.ratio * drive.motor_inertia);
  const double shaft = drive.load_inertia * acceleration + load_torque + drive.load_damping * speed;
  const double side = shaft >= 0.0 ? 1.0 : -1.0;
  mode = shaft >= 0.0 ? GapMode::upper : GapMode::lower;
  PowertrainState x = PowertrainState::Zero();
  x[P::load_position] = angle, x[P::load_velocity] = speed, x[P::motor_velocity] = drive.ratio * speed;
  x[P::motor_position] = drive.ratio * (angle + shaft / drive.stiffness + side * kHalfGap);
  x[P::load_torque] = load_torque, x[P::motor_torque] = command;
  x[P::gap_position] = side * kHalfGap, x[P::upper_limit] = kHalfGap, x[P::lower_limit] = -kHalfGap;
  return x;
}

ToothedWheel draw_wheel(int teeth, double relative_error, Random& random) {
  ToothedWheel wheel{.teeth = teeth};
  wheel.phase = random.uniform(0.0, wheel.pitch());
  if (relative_error == 0.0) return wheel;
  double mean = 0.0;
  for (int i = 0; i < teeth; ++i) {
    wheel.error.push_back(relative_error * wheel.pitch() * random.normal());
    mean += wheel.error.back() / teeth;
  }
  for (double& error : wheel.error) error -= mean;
  return wheel;
}

std::vector<Pulse> passages(const ToothedWheel& wheel, const std::vector<PowertrainNode>& nodes, int position,
                            int velocity) {
  std::vector<Pulse> pulses;
  for (std::size_t i = 0; i + 1 < nodes.size(); ++i) {
    const PowertrainNode &a = nodes[i], &b = nodes[i + 1];
    if (!(b.time > a.time)) continue;
    append_pulses(wheel,
                  {a.time, b.time - a.time, a.state[position], a.state[velocity], b.state[position], b.state[velocity]},
                  pulses);
  }
  return pulses;
}

}  // namespace

double Run::delayed_command(std::size_t row, double delay) const {
  const auto later = static_cast<std::size_t>(std::lround(delay / kPeriod));
  return command[row > later ? row - later : 0];
}

Run make_run(std::uint64_t drive_seed, std::uint64_t wheel_seed, Teeth teeth) {
  Run run;
  run.command = draw_command(drive_seed);
  constexpr double kLoad = 100.0, kLoadWalk = 15.0, kTorqueNoise = 1.0, kTorqueTime = 0.05;
  P drive;
  const PowertrainState start = draw_start(drive, run.command.front(), kLoad, drive_seed, drive.mode);
  PowertrainTruth truth(drive, start, kPeriod);
  Random load(drive_seed, "load"), torque(drive_seed, "torque");
  const double kept = std::exp(-kPeriod / kTorqueTime);
  double disturbance = kTorqueNoise * torque.normal(), walk = kLoad;
  run.rows.push_back({0.0, truth.state(), truth.mode()});
  for (std::size_t k = 0; k < kRows; ++k) {
    truth.set_load_torque(walk);
    truth.advance(run.delayed_command(k, kDelay), disturbance);
    walk += kLoadWalk * std::sqrt(kPeriod) * load.normal();
    disturbance = kept * disturbance + kTorqueNoise * std::sqrt(1.0 - kept * kept) * torque.normal();
    run.rows.push_back({static_cast<double>(k + 1) * kPeriod, truth.state(), truth.mode()});
  }
  GapMode before = truth.nodes().front().mode;
  for (const PowertrainNode& node : truth.nodes()) {
    if (!node.is_event) continue;
    run.changes.push_back({node.time, before, node.mode});
    before = node.mode;
  }
  Random wheels(wheel_seed, "wheels");
  const bool ideal = teeth == Teeth::ideal;
  run.engine = draw_wheel(kEngineTeeth, ideal ? 0.0 : kEngineError, wheels);
  run.wheel = draw_wheel(kWheelTeeth, ideal ? 0.0 : kWheelError, wheels);
  run.engine_pulses = passages(run.engine, truth.nodes(), P::motor_position, P::motor_velocity);
  run.wheel_pulses = passages(run.wheel, truth.nodes(), P::load_position, P::load_velocity);
  return run;
}

}  // namespace tauhat::lagerberg
