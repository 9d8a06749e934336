#include "tauhat/offline/reproduce/zampolini_setup.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "tauhat/offline/joint/velocity_quality.hpp"
#include "tauhat/offline/signal/differentiate.hpp"
#include "tauhat/offline/simulate/random.hpp"

namespace tauhat::zampolini {
namespace {

using std::numbers::pi;

constexpr int kSubsteps = 8;

// Position and velocity by one gain each, the velocity with an integral. All at the motor.
class Controller {
 public:
  Controller(const Plant& plant, double first_position, double gravity)
      : velocity_gain_((plant.motor_inertia + plant.load_inertia(kNeighbourPosition) / (plant.ratio * plant.ratio)) *
                       2.0 * pi * kVelocityBandwidth / plant.torque_constant),
        last_position_(first_position),
        integral_(gravity / (plant.ratio * plant.torque_constant)) {}

  double current(double reference, double reference_velocity, double position, double injected) {
    const double velocity = (position - last_position_) / kPeriod;
    last_position_ = position;
    filtered_velocity_ += (1.0 - std::exp(-2.0 * pi * kFilter * kPeriod)) * (velocity - filtered_velocity_);
    const double error = kPositionGain * (reference - position) + reference_velocity - filtered_velocity_;
    integral_ += velocity_gain_ * 2.0 * pi * kIntegral * kPeriod * error;
    return std::clamp(injected + velocity_gain_ * error + integral_, -kMostCurrent, kMostCurrent);
  }

 private:
  static constexpr double kPositionGain = 12.0;                                         // 1/s
  static constexpr double kVelocityBandwidth = 10.0, kIntegral = 1.5, kFilter = 300.0;  // Hz
  static constexpr double kMostCurrent = 40.0;                                          // A

  double velocity_gain_, last_position_, integral_, filtered_velocity_ = 0.0;
};

double measured(const Encoder& encoder, double position, Random& random) {
  return std::round((position + encoder.noise * random.normal()) / encoder.step()) * encoder.step();
}

// Zero for half a second, then grown over as long.
double faded_in(double time) { return std::clamp((time - 0.5) / 0.5, 0.0, 1.0); }

// Two records of one seed share neither noise nor phases.
std::uint64_t seed_for(std::uint64_t seed, std::string_view experiment, std::uint64_t number = 0) {
  return Random(seed, experiment, number).next();
}

RecordOptions reseeded(RecordOptions options, std::string_view experiment, std::uint64_t number = 0) {
  options.seed = seed_for(options.seed, experiment, number);
  return options;
}

}  // namespace

Record run(const Reference& reference, const std::vector<double>& injected, const RecordOptions& options) {
  const Plant& plant = options.plant;
  const auto held = [&](double time) {
    return options.neighbour_motor ? options.neighbour_motor->at(time) : MotionPoint{kNeighbourPosition, 0.0, 0.0};
  };
  AxisInMotion axis(plant, reference.position[0], held(0.0).position);
  const Plant::Mechanics& x = axis.mechanics();
  Random noise(options.seed, "encoder");
  Record record;
  record.reference = reference;
  record.injected = injected.empty() ? std::vector<double>(reference.size(), 0.0) : injected;
  std::optional<Controller> controller;
  for (std::size_t k = 0; k < reference.size(); ++k) {
    const double position = measured(options.encoder, x[Plant::motor_position], noise);
    if (!controller) {
      controller.emplace(plant, position, plant.gravity_torque(x[Plant::load_position], x[Plant::neighbour_position]));
    }
    const double current = controller->current(plant.ratio * reference.position[k], plant.ratio * reference.velocity[k],
                                               position, record.injected[k]);
    record.motor_position.push_back(position);
    record.current.push_back(current);
    record.load_velocity.push_back(x[Plant::load_velocity]);
    record.motor_velocity.push_back(x[Plant::motor_velocity]);
    record.friction.push_back(axis.friction_torque());
    if (options.neighbour_motor) record.neighbour_motor.push_back(held(record.time(k)));
    const double external = options.external_torque.empty() ? 0.0 : options.external_torque[k];
    constexpr double kStep = kPeriod / kSubsteps;
    for (int i = 0; i < kSubsteps; ++i) axis.step(current, external, held(record.time(k) + i * kStep), kStep);
  }
  return record;
}

Record normal(const RecordOptions& options) {
  return run(normal_motion(options.seed), {}, reseeded(options, "normal"));
}

Record random_normal(const RecordOptions& options) {
  return run(random_motion(options.seed), {}, reseeded(options, "normal"));
}

Record exciting(const RecordOptions& options, double duration) {
  const Reference reference = slow_sine(duration);
  const RecordOptions seeded = reseeded(options, "exciting");
  std::vector<double> injected = multisine_current(kExciting, reference.size(), seeded.seed);
  for (std::size_t k = 0; k < injected.size(); ++k) injected[k] *= faded_in(static_cast<double>(k) * kPeriod);
  return run(reference, injected, seeded);
}

Record friction_run(const RecordOptions& options) { return run(friction_motion(), {}, reseeded(options, "friction")); }

Record multisine_run(const RecordOptions& options, std::uint64_t number, int periods) {
  const RecordOptions seeded = reseeded(options, "multisine", number);
  Reference reference = triangular_motion(periods * kMultisinePeriod);
  reference.position.pop_back(), reference.velocity.pop_back();  // whole periods: the next would begin there
  return run(reference, multisine_current(kIdentifying, reference.size(), seeded.seed), seeded);
}

Record moving_neighbour(RecordOptions options) {
  const Reference reference = random_motion(options.seed);
  options.neighbour_motor = neighbour_motion();
  const RecordOptions seeded = reseeded(options, "moving neighbour");
  return run(reference, multisine_current(kExciting, reference.size(), seeded.seed), seeded);
}

std::vector<double> saturated_current(const Plant& plant, const std::vector<double>& current) {
  std::vector<double> saturated;
  for (const double i : current) saturated.push_back(plant.saturated(i));
  return saturated;
}

double fit_percent(const std::vector<double>& truth, const std::vector<double>& estimate, double first) {
  return tauhat::fit_percent(truth, estimate, static_cast<std::size_t>(std::lround(first / kPeriod)));
}

std::vector<double> naive_velocity(const std::vector<double>& motor_position, double ratio) {
  return central_velocity(motor_position, ratio, kPeriod);
}

}  // namespace tauhat::zampolini
