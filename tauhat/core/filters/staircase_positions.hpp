// The positions of motor and load as their counters show them: a staircase that stands still between two teeth. A count
// says the tooth that was passed, so that it is half a pitch behind on average (more than the gap, where 48 teeth share
// a turn): a step stands in the middle between the two teeth that the position is between. Before a filter on an even
// grid a period's mean is taken, exactly: a sample would lag.
#pragma once

#include <array>
#include <cmath>
#include <limits>

#include "tauhat/core/filters/correction.hpp"
#include "tauhat/core/filters/switching_observer.hpp"

namespace tauhat {

template <class T>
class StaircasePositions {
 public:
  using Model = Powertrain<T>;
  using Belief = Gaussian<T, Model::kStates>;
  using Positions = typename SwitchingObserver<T>::Positions;      // motor, load
  using Tuning = Positions;                                        // the wheels' pitches, rad
  static constexpr PositionSample kSample = PositionSample::mean;  // what is read is a mean

  StaircasePositions(const Belief& start, const Tuning& pitch) noexcept
      : stairs_{Stair{start.mean[Model::motor_position], start.mean[Model::motor_velocity], pitch[0]},
                Stair{start.mean[Model::load_position], start.mean[Model::load_velocity], pitch[1]}} {}

  Positions positions() const noexcept { return {stairs_[0].level, stairs_[1].level}; }
  // Position and velocity, as from the last two teeth.
  Vector<T, 2> motion(int position) const noexcept {
    const Stair& at = stair(position);
    return {std::isfinite(at.tooth) ? at.tooth + at.rate * at.since : at.level, at.rate};
  }

  T last_tooth(int position) const noexcept { return stair(position).tooth; }  // rad; NaN before the first

  void begin_period() noexcept {
    for (Stair& each : stairs_) each.area = T(0);
    elapsed_ = T(0);
  }
  Positions measured() const noexcept {
    return elapsed_ > T(0) ? Positions(stairs_[0].area / elapsed_, stairs_[1].area / elapsed_) : positions();
  }

  StepStatus advance(T dt) noexcept {
    if (!(dt > T(0)) || !std::isfinite(dt)) return StepStatus::interval_not_positive;
    for (Stair& each : stairs_) each.area += each.level * dt, each.since += dt;
    elapsed_ += dt;
    return StepStatus::ok;
  }

  // A tooth stands at this position: the wheel is on its other side now. It has no variance: a filter of staircases
  // does not weigh single teeth.
  Correction<T> correct(const Measurement<T>& z) noexcept {
    if (!std::isfinite(z.value)) return {};
    if (z.output != Model::motor_position && z.output != Model::load_position) return {};
    Stair& at = stairs_[z.output == Model::load_position ? 1 : 0];
    const T way = z.value - at.level;
    if (std::isfinite(at.tooth) && at.since > T(0)) at.rate = (z.value - at.tooth) / at.since;
    at.tooth = z.value;
    at.level = z.value + (way < T(0) ? -at.pitch : at.pitch) / T(2);
    at.since = T(0);
    return {StepStatus::ok, way, std::numeric_limits<T>::quiet_NaN()};
  }

  // How far the side may have gone since its last tooth, if it went on as before; nothing while that is within the
  // teeth that a wheel may have lost.
  T overdue(int position) const noexcept {
    constexpr double kTeeth = 5.0;
    const T way = std::abs(stair(position).rate) * stair(position).since;
    return way > constant<T>(kTeeth) * stair(position).pitch ? way : T(0);
  }

 private:
  struct Stair {
    T level, rate, pitch;                           // rad, rad/s, rad
    T tooth = std::numeric_limits<T>::quiet_NaN();  // rad, the last one
    T since = T(0), area = T(0);                    // s since it passed; the level's integral over the period
  };
  const Stair& stair(int position) const noexcept { return stairs_[position == Model::load_position ? 1 : 0]; }

  std::array<Stair, 2> stairs_;
  T elapsed_ = T(0);
};

}  // namespace tauhat
