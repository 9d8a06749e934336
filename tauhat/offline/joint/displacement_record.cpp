#include "tauhat/offline/joint/displacement_record.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "tauhat/offline/error.hpp"
#include "tauhat/offline/joint/frequency_response.hpp"
#include "tauhat/offline/signal/differentiate.hpp"
#include "tauhat/offline/signal/zero_phase.hpp"

namespace tauhat {
namespace {

using Samples = std::vector<double>;

constexpr double kMotionBand = 20.0;  // Hz
constexpr double kJoint = 60.0;       // Hz: no joint of a robot swings faster

// Of half the sampling rate: nearer to it, a filter takes nothing away.
double share_of_rate(double band, double period) { return 2.0 * band * period; }
constexpr double kNoFilter = 0.8;

Samples below(double band, const Samples& values, double period) {
  const double share = share_of_rate(band, period);
  return share < kNoFilter ? filter_zero_phase(butterworth_low_pass(2, share), values) : values;
}

// Up to where the torque explains the displacement: above is noise, and the ripple of a torque that no displacement
// follows would make the joint look stiffer than it is.
double band_of(const Samples& torque, const Samples& displacement, double period) {
  constexpr double kResolution = 1.0, kExplained = 0.5;
  double highest = kMotionBand;
  try {
    const FrequencyResponse told =
        coherent_part(broadband_response(torque, displacement,
                                         {.period = period, .resolution = kResolution, .band = {kResolution, kJoint}}),
                      kExplained);
    if (told.size() > 0) highest = std::max(highest, told.frequency.back());
  } catch (const Error&) {  // a record too short for that
  }
  return highest;
}

// What of the motor's torque goes into the joint, and into friction.
Samples torque_of(const JointRecord& given, const Samples& motor, const MotorSide& side, double period) {
  const Samples velocity = differentiate(motor, period), logged = bridged(given.torque);
  Samples torque;
  for (std::size_t k = 0; k < motor.size(); ++k) {
    const std::size_t before = k == 0 ? 0 : k - 1, after = std::min(k + 1, motor.size() - 1);
    const double acceleration = (motor[after] - 2.0 * motor[k] + motor[before]) / (period * period);
    torque.push_back(side.ratio *
                     (0.5 * (logged[before] + logged[k]) - side.inertia * acceleration - side.viscous * velocity[k]));
  }
  if (torque.size() > 2) torque.front() = torque[1], torque.back() = torque[torque.size() - 2];
  return torque;
}

Samples mean_over_two(const Samples& values) {
  Samples mean = values;
  for (std::size_t k = 1; k + 1 < values.size(); ++k)
    mean[k] = (values[k - 1] + 10.0 * values[k] + values[k + 1]) / 12.0;
  return mean;
}

// Friction turns over within a hundredth of the speed range: a jump would make the noise of w a noise of the column.
Samples direction_of(const Samples& motor, double period) {
  Samples velocity = differentiate(in_motion_band(motor, period), period);
  double fastest = 0.0;
  for (const double w : velocity) fastest = std::max(fastest, std::abs(w));
  const double width = 0.01 * fastest;
  for (double& w : velocity) w = width > 0.0 ? std::tanh(w / width) : 0.0;
  return velocity;
}

}  // namespace

std::vector<double> DisplacementRecord::displacement() const {
  Samples between;
  for (std::size_t k = 0; k < motor.size(); ++k) between.push_back(motor[k] - load[k]);
  return between;
}

std::vector<double> bridged(const std::vector<double>& values) {
  std::vector<double> whole = values;
  std::size_t last = values.size();  // none
  for (std::size_t k = 0; k < values.size(); ++k) {
    if (!std::isfinite(values[k])) continue;
    const std::size_t from = last == values.size() ? k : last;
    const double rise = k > from ? (values[k] - values[from]) / static_cast<double>(k - from) : 0.0;
    for (std::size_t i = last == values.size() ? 0 : last + 1; i < k; ++i)
      whole[i] = values[from] + rise * (static_cast<double>(i) - static_cast<double>(from));
    last = k;
  }
  for (std::size_t i = last == values.size() ? 0 : last + 1; i < values.size(); ++i)
    whole[i] = last == values.size() ? 0.0 : values[last];
  return whole;
}

std::vector<double> in_motion_band(const std::vector<double>& values, double period) {
  return below(kMotionBand, values, period);
}

DisplacementRecord displacement_record(const JointRecord& given, const MotorSide& side, double period) {
  const Samples motor = bridged(given.motor), load = bridged(given.load);
  DisplacementRecord record;
  record.period = period;
  record.motor = motor, record.load = load;
  for (double& position : record.motor) position /= side.ratio;
  record.torque = torque_of(given, motor, side, period);
  record.direction = direction_of(motor, period);
  const double band = band_of(record.torque, record.displacement(), period);
  if (share_of_rate(band, period) < kNoFilter) record.band = band;
  for (Samples* position : {&record.motor, &record.load}) *position = mean_over_two(*position);
  for (Samples* signal : {&record.motor, &record.load, &record.torque, &record.direction})
    *signal = below(band, *signal, period);
  for (std::size_t k = 0; k < given.load.size(); ++k)
    if (!std::isfinite(given.motor[k] + given.load[k] + given.torque[k]))
      record.load[k] = std::numeric_limits<double>::quiet_NaN();
  return record;
}

}  // namespace tauhat
