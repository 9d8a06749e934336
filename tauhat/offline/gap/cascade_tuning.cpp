#include "tauhat/offline/gap/cascade_tuning.hpp"

#include <cmath>
#include <numbers>

namespace tauhat {
namespace {

using P = Powertrain<double>;

double square(double x) { return x * x; }

constexpr std::array<int, 2> kPositions{P::motor_position, P::load_position};

const GapSpec::Wheel& wheel_of(const GapSpec& spec, int side) {
  return spec.wheels[static_cast<std::size_t>(kPositions[static_cast<std::size_t>(side)])];
}

// s, from tooth to tooth, at the speed that the gains are for.
double interval_of(const GapSpec& spec, int side) {
  return wheel_of(spec, side).pitch / std::abs(spec.speed * (side == 0 ? spec.drive.ratio : 1.0));
}

// Pulses that come every so often, each wrong by its tooth, are worth a measurement of this density all the time.
double pulse_density(const GapSpec& spec, int side) {
  return square(wheel_of(spec, side).std) * interval_of(spec, side);
}

// A staircase swings about the position with the frequency of its teeth: an amplitude of pitch / pi, most of which a
// filter keeps out whose rate is w_n = (q / R)^(1/6) (three states, jerk of density q, sensor of density R): it lets
// through 2 w_n / w of a fast swing. White noise that leaves as much in the filter, R w_n in variance, is
//   R = (pitch / pi)^2 / 2 (2 w_n / w)^2 / w_n,   so that   R^(7/6) = 2 (pitch / (pi w))^2 q^(1/6),   w = 2 pi /
//   interval
double staircase_density(const GapSpec& spec, int side) {
  const double swing = wheel_of(spec, side).pitch / std::numbers::pi,
               w = 2.0 * std::numbers::pi / interval_of(spec, side);
  const double q = first_stage_jerk(spec)[side];
  return std::pow(2.0 * square(swing / w) * std::pow(q, 1.0 / 6.0), 6.0 / 7.0);
}

// By the motor's torque, as far as [noise] lets it wander; the load follows.
double jerk_of_drive(const GapSpec& spec, int side) {
  const P& drive = spec.drive;
  const double motor = drive.noise[P::motor_torque] / square(drive.motor_inertia);
  return side == 0 ? motor : motor / square(drive.ratio);
}

// A wheel's own filter that follows a jerk of density q has the rate w_n = (q / R)^(1/6): it lags behind slow motion
// whose jerk is really one of density q' by an error of density q' / w_n^6, beside that of its teeth, R.
double lag_density(const GapSpec& spec, int side) {
  return pulse_density(spec, side) * jerk_of_drive(spec, side) / first_stage_jerk(spec)[side];
}

Vector<double, 2> sensor_densities(const GapSpec& spec) {
  Vector<double, 2> densities;
  for (const int side : {0, 1})
    densities[side] =
        pulse_density(spec, side) + (spec.is_on_staircases() ? staircase_density(spec, side) : lag_density(spec, side));
  return densities;
}

}  // namespace

Vector<double, 2> first_stage_jerk(const GapSpec& spec) {
  // The motor's acceleration wanders as its torque does, and the load follows. What the first stage smooths, it also
  // delays, and the second smooths anyway: from some four times as much on the error in the gap is the same.
  constexpr double kLetThrough = 4.0;
  const Vector<double, 2> usual(jerk_of_drive(spec, 0), jerk_of_drive(spec, 1) * square(kLetThrough));
  return {spec.jerk[0] > 0.0 ? spec.jerk[0] : usual[0], spec.jerk[1] > 0.0 ? spec.jerk[1] : usual[1]};
}

Vector<double, 2> pitches_of(const GapSpec& spec) { return {wheel_of(spec, 0).pitch, wheel_of(spec, 1).pitch}; }

SwitchingObserver<double>::Tuning observer_tuning(const GapSpec& spec) {
  // Without a little noise on every state the equations for the gains have no solution.
  constexpr double kLittle = 1e-12;  // rad^2/s, of the positions
  constexpr double kGapWalk = 1e-3;  // of the gap, in a second
  SwitchingObserver<double>::Tuning tuning;
  tuning.noise = spec.drive.noise.head<SwitchingObserver<double>::kStates>();
  tuning.noise[P::motor_position] = tuning.noise[P::load_position] = kLittle;
  tuning.noise[P::gap_position] = square(kGapWalk * spec.gap);
  tuning.sensors = sensor_densities(spec);
  return tuning;
}

StationaryPositions<double>::Tuning staircase_tuning(const GapSpec& spec) {
  StationaryPositions<double>::Tuning tuning{Matrix<double, 3, 2>::Zero(), sensor_densities(spec)};
  tuning.noise.row(2) = first_stage_jerk(spec).transpose();
  return tuning;
}

}  // namespace tauhat
