#include "tauhat/offline/reproduce/lagerberg_setup.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "tauhat/offline/simulate/torque_noise.hpp"

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

PowertrainNode draw_start(const P& drive, double command, double load_torque, std::uint64_t seed) {
  Random random(seed, "start");
  const double speed = random.uniform(9.0, 11.0), angle = random.uniform(0.0, 2.0 * std::numbers::pi);
  return steady_start(drive, {.command = command,
                              .load_torque = load_torque,
                              .load_position = angle,
                              .load_velocity = speed,
                              .upper_limit = kHalfGap,
                              .lower_limit = -kHalfGap});
}

ToothedWheel draw_wheel(int teeth, double relative_error, Random& random) {
  ToothedWheel wheel{.teeth = teeth};
  wheel.phase = random.uniform(0.0, wheel.pitch());
  wheel.error = draw_tooth_errors(teeth, relative_error * wheel.pitch(), random);
  return wheel;
}

}  // namespace

double Run::delayed_command(std::size_t row, double delay) const {
  const auto later = static_cast<std::size_t>(std::lround(delay / kPeriod));
  return command[row > later ? row - later : 0];
}

Run make_run(std::uint64_t drive_seed, std::uint64_t wheel_seed, Teeth teeth) {
  Run run;
  run.command = draw_command(drive_seed);
  constexpr double kLoad = 100.0, kLoadWalk = 15.0, kTorqueNoise = 1.0;
  P drive;
  const PowertrainNode start = draw_start(drive, run.command.front(), kLoad, drive_seed);
  drive.mode = start.mode;
  PowertrainTruth truth(drive, start.state, kPeriod);
  Random load(drive_seed, "load");
  TorqueNoise disturbance(kTorqueNoise, kPeriod, Random(drive_seed, "torque"));
  double walk = kLoad;
  run.rows.push_back({0.0, truth.state(), truth.mode()});
  for (std::size_t k = 0; k < kRows; ++k) {
    truth.set_load_torque(walk);
    truth.advance(run.delayed_command(k, kDelay), disturbance.next());
    walk += kLoadWalk * std::sqrt(kPeriod) * load.normal();
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
  run.engine_pulses = passages(run.engine, truth.nodes(), P::motor_position);
  run.wheel_pulses = passages(run.wheel, truth.nodes(), P::load_position);
  return run;
}

}  // namespace tauhat::lagerberg
