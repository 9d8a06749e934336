// Where in its gap a gear is, in two stages (Lagerberg and Egardt). The first makes positions of pulses: a filter of
// each wheel (pulse_positions.hpp), or the staircases of their counters (staircase_positions.hpp). On an even grid the
// second takes them for measurements: the observer with two stationary gains (switching_observer.hpp), the same with a
// gain that follows its covariance (time_varying_observer.hpp), or one that knows nothing of the drive
// (stationary_positions.hpp). The gains belong to one period, and to teeth that pass at about one speed. The limits of
// the gap must be known.
#pragma once

#include <algorithm>

#include "tauhat/core/filters/pulse_positions.hpp"
#include "tauhat/core/filters/switching_observer.hpp"

namespace tauhat {

template <class T, class First = PulsePositions<T>, class Second = SwitchingObserver<T>>
class GapCascade {
 public:
  using Scalar = T;
  using Model = Powertrain<T>;
  using Input = InputOf<Model>;
  using Belief = Gaussian<T, Model::kStates>;
  using Positions = typename SwitchingObserver<T>::Positions;  // motor, load

  struct Tuning {
    typename First::Tuning first;      // of pulses: spectral densities of both sides' jerk; of staircases: pitches
    typename Second::Tuning second{};  // noise and sensors
    T period = constant<T>(1e-3);      // s
  };

  // Of `start`, the first stage takes positions and velocities with their variances; the second takes the mean.
  GapCascade(const Model& drive, const Belief& start, const Tuning& tuning) noexcept
      : first_(start, tuning.first),
        second_(drive, tuning.second, tuning.period, First::kSample),
        period_(tuning.period) {
    second_.start(start.mean);
  }

  bool usable() const noexcept { return second_.usable(); }
  T memory() const noexcept { return second_.memory(); }  // s
  const First& first() const noexcept { return first_; }
  const Model& model() const noexcept { return second_.model(); }
  GapMode mode() const noexcept { return second_.mode(); }
  Positions positions() const noexcept { return first_.positions(); }

  // The second stage begins anew from where the first says that both sides are, as after a silence in which it followed
  // a prediction. The limits are known, so the gear is between them, or the shaft twisted by the rest.
  void restart() noexcept {
    StateOf<Model> x = second_.whole_state();
    for (const int position : {Model::motor_position, Model::load_position})
      x.template segment<2>(position) = first_.motion(position);
    const T displacement = x[Model::motor_position] / model().ratio - x[Model::load_position];
    x[Model::gap_position] = std::clamp(displacement, x[Model::lower_limit], x[Model::upper_limit]);
    second_.start(x);
    since_ = commanded_ = T(0);
  }

  // The second stage's state, carried on from its grid, and its covariance there.
  Belief belief() const noexcept {
    constexpr int kStates = Second::kStates;
    Belief now;
    now.mean = since_ > T(0) ? second_.ahead(commanded_ / since_, since_) : second_.whole_state();
    now.covariance().template topLeftCorner<kStates, kStates>() = second_.covariance();
    return now;
  }

  StepStatus predict(const Input& u, T dt) noexcept {
    if (!(dt > T(0)) || !std::isfinite(dt)) return StepStatus::interval_not_positive;
    const bool usable = u.allFinite();
    if (usable) input_ = u;
    while (dt > T(0)) {
      if (since_ == T(0)) first_.begin_period();  // with all pulses up to here
      const T step = std::min(dt, period_ - since_);
      if (const StepStatus status = first_.advance(step); status != StepStatus::ok) return status;
      commanded_ += step * input_[Model::command];
      since_ += step, dt -= step;
      // A period that is made up of several intervals may miss its length by rounding.
      if (since_ < constant<T>(0.999999) * period_) continue;
      second_.step(commanded_ / since_, first_.measured());
      since_ = commanded_ = T(0);
    }
    return usable ? StepStatus::ok : StepStatus::input_held;
  }

  Correction<T> correct(const Measurement<T>& z) noexcept { return first_.correct(z); }

 private:
  First first_;
  Second second_;
  T period_, since_ = T(0), commanded_ = T(0);  // since the grid's last instant: s, and the command's integral
  Input input_ = Input::Zero();
};

}  // namespace tauhat
