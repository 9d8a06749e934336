#include "tauhat/offline/gap/gap_start.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace tauhat {
namespace {

using P = Powertrain<double>;

double square(double x) { return x * x; }

}  // namespace

double runout_variance(const GapSpec& spec) noexcept {
  const GapSpec::Wheel& wheel = spec.wheels[P::load_position];
  if (!(wheel.pitch > 0.0) || wheel.is_true) return 0.0;
  return P::runout_variance(wheel.std, 2.0 * std::numbers::pi / wheel.pitch);
}

double GapStart::Side::speed_variance() const noexcept {
  if (velocity) return velocity_variance;
  // What the speed may have changed by between two teeth. At 10 rad/s the paper's car changes by less than a hundredth.
  constexpr double kChange = 0.05;
  return 2.0 * variance / square(interval) + square(kChange * speed());
}

void GapStart::add(double now, const Measurement<double>& z) noexcept {
  if (!std::isfinite(z.value)) return;
  Side& side = sides_[z.output == P::load_position || z.output == P::load_velocity ? 1 : 0];
  if (z.output == P::motor_velocity || z.output == P::load_velocity) {
    side.velocity = z.value, side.velocity_variance = z.variance;
    return;
  }
  if (side.samples > 0) side.before = side.position, side.interval = now - side.time;
  ++side.samples;
  side.time = now, side.position = z.value, side.variance = z.variance;
}

bool GapStart::is_complete() const noexcept { return sides_[0].is_known() && sides_[1].is_known(); }

// In contact th_d = T_s / k + th_b. Where the offset is known, the limits are; else the limit that is touched is where
// the gear is now, as well as the shaft's torque is known, and the other one lies a gap away.
GapStart::Belief GapStart::belief(double now, double command) const {
  const P& drive = spec_.drive;
  Vector<double, P::kStates> mean = Vector<double, P::kStates>::Zero();
  Matrix<double, P::kStates> covariance = Matrix<double, P::kStates>::Zero();
  const int position[] = {P::motor_position, P::load_position}, velocity[] = {P::motor_velocity, P::load_velocity};
  for (std::size_t i = 0; i < 2; ++i) {
    const Side& side = sides_[i];
    const double since = now - side.time;
    mean[velocity[i]] = side.speed();
    covariance(velocity[i], velocity[i]) = side.speed_variance();
    if (side.samples > 0) {
      mean[position[i]] = side.position + since * side.speed();
      covariance(position[i], position[i]) = side.variance + square(since) * side.speed_variance();
    } else {
      // Speeds only: positions count from here, the motor's with the load's, so they are known, to a rounding.
      constexpr double kRounding = 1e-6;  // rad
      covariance(position[i], position[i]) = square(kRounding);
    }
  }
  if (sides_[0].samples == 0) mean[P::motor_position] = drive.ratio * mean[P::load_position];
  if (sides_[1].samples == 0) mean[P::load_position] = mean[P::motor_position] / drive.ratio;
  // A wheel may run out of true by as much as its teeth would, each by itself.
  covariance(P::runout_cosine, P::runout_cosine) = covariance(P::runout_sine, P::runout_sine) = runout_variance(spec_);
  // The load takes what the motor gives, or all of it accelerates: it may be wrong by as much, and by what it wanders
  // in a time that is long beside the 3 s within which a gap is learned, so that the guess does not bind.
  constexpr double kLongTime = 10.0;  // s
  // The motor's torque is its command, but for what wanders within its lag, and a tenth, as it may still be changing.
  constexpr double kFollows = 0.1;
  const double shaft = drive.ratio * (command - drive.motor_damping * mean[P::motor_velocity]);
  mean[P::motor_torque] = command;
  mean[P::load_torque] = shaft - drive.load_damping * mean[P::load_velocity];
  covariance(P::motor_torque, P::motor_torque) =
      std::max(0.5 * drive.lag * drive.noise[P::motor_torque], square(kFollows * command));
  // The command may be wrong as long as it lasts.
  const double gain_variance = square(spec_.gain_std / spec_.gain);
  covariance(P::gain_error, P::gain_error) = gain_variance;
  covariance(P::motor_torque, P::motor_torque) += gain_variance * square(command);
  covariance(P::gain_error, P::motor_torque) = covariance(P::motor_torque, P::gain_error) = gain_variance * command;
  const double wandered = kLongTime * drive.noise[P::load_torque], load_variance = square(shaft) + wandered;
  covariance(P::load_torque, P::load_torque) = load_variance;
  // Both sides speed up alike, so that the shaft takes part in what the load is wrong by as far as the motor's inertia
  // holds against it:  T_s = (1 - s) i T_m + s (T_l + b_l w_l).  Beside that it may swing. Were it as wrong as the
  // load, it might be let go of, or pull to the other side, and the filter would start in a mode that is none.
  constexpr double kSwings = 0.25;
  const double motor_inertia = square(drive.ratio) * drive.motor_inertia;
  const double held = motor_inertia / (motor_inertia + drive.load_inertia);  // s
  const double shaft_variance = square(held * shaft) + square(kSwings * shaft) + wandered;

  const double side = shaft >= 0.0 ? 1.0 : -1.0;
  const int touched = shaft >= 0.0 ? P::upper_limit : P::lower_limit;
  const int other = shaft >= 0.0 ? P::lower_limit : P::upper_limit;
  if (spec_.offset_is_known) {
    // U = g/2 - o,  L = -g/2 - o
    mean[P::upper_limit] = 0.5 * spec_.gap - spec_.offset, mean[P::lower_limit] = -0.5 * spec_.gap - spec_.offset;
    const double own = square(0.5 * spec_.gap_std) + square(spec_.offset_std);
    const double shared = square(spec_.offset_std) - square(0.5 * spec_.gap_std);
    covariance(touched, touched) = covariance(other, other) = own;
    covariance(touched, other) = covariance(other, touched) = shared;
  } else {
    mean[touched] = mean[P::motor_position] / drive.ratio - mean[P::load_position] - shaft / drive.stiffness;
    mean[other] = mean[touched] - side * spec_.gap;
    const double limit = covariance(P::motor_position, P::motor_position) / square(drive.ratio) +
                         covariance(P::load_position, P::load_position) + shaft_variance / square(drive.stiffness);
    covariance(touched, touched) = covariance(touched, other) = covariance(other, touched) = limit;
    covariance(other, other) = limit + square(spec_.gap_std);
    // A torque that is larger than thought puts the limit lower.
    for (const int at : {touched, other})
      covariance(at, P::load_torque) = covariance(P::load_torque, at) = -held * load_variance / drive.stiffness;
  }
  mean[P::gap_position] = mean[touched];
  covariance.row(P::gap_position) = covariance.row(touched);
  covariance.col(P::gap_position) = covariance.col(touched);
  covariance(P::gap_position, P::gap_position) = covariance(touched, touched);
  return {{mean, covariance}, shaft >= 0.0 ? GapMode::upper : GapMode::lower};
}

}  // namespace tauhat
