#include "tauhat/offline/gap/cascade_tuning.hpp"

#include <cmath>

namespace tauhat {
namespace {

using P = Powertrain<double>;

double square(double x) { return x * x; }

// Pulses that come every pitch / |w|, each wrong by its tooth, are worth a measurement of this density all the time.
double sensor_density(const GapSpec::Wheel& wheel, double speed) {
  return square(wheel.std) * wheel.pitch / std::abs(speed);
}

// Spectral densities of both sides' jerk, motor's and load's, where the study does not give them.
std::array<double, 2> usual_jerk(const P& drive) {
  // The motor's acceleration wanders as its torque does, and the load follows. What the first stage smooths, it also
  // delays, and the second smooths anyway: from some four times as much on the error in the gap is the same.
  constexpr double kLetThrough = 4.0;
  const double motor = drive.noise[P::motor_torque] / square(drive.motor_inertia);
  return {motor, motor * square(kLetThrough / drive.ratio)};
}

}  // namespace

GapCascade<double>::Tuning cascade_tuning(const GapSpec& spec) {
  // Without a little noise on every state the equations for the gains have no solution.
  constexpr double kLittle = 1e-12;  // rad^2/s, of the positions
  constexpr double kGapWalk = 1e-3;  // of the gap, in a second
  GapCascade<double>::Tuning tuning;
  const auto usual = usual_jerk(spec.drive);
  for (const int side : {0, 1}) {
    const auto i = static_cast<std::size_t>(side);
    tuning.jerk[side] = spec.jerk[i] > 0.0 ? spec.jerk[i] : usual[i];
  }
  auto& noise = tuning.observer.noise;
  noise = spec.drive.noise.head<SwitchingObserver<double>::kStates>();
  noise[P::motor_position] = noise[P::load_position] = kLittle;
  noise[P::gap_position] = square(kGapWalk * spec.gap);
  tuning.observer.sensors << sensor_density(spec.wheels[P::motor_position], spec.speed * spec.drive.ratio),
      sensor_density(spec.wheels[P::load_position], spec.speed);
  tuning.period = spec.period;
  return tuning;
}

}  // namespace tauhat
