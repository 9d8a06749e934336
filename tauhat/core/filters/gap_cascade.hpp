// Where in its gap a gear is, in two stages (Lagerberg and Egardt): each position by a filter of its own that is
// corrected at its pulses and knows nothing of the drive (models/kinematic.hpp); on an even grid, the switching
// observer takes what they say for measurements. A step costs little, since the observer's gains are found beforehand:
// they belong to one period, and to teeth that pass at about one speed. The limits of the gap must be known.
#pragma once

#include <algorithm>
#include <array>

#include "tauhat/core/filters/ekf.hpp"
#include "tauhat/core/filters/switching_observer.hpp"
#include "tauhat/core/models/kinematic.hpp"

namespace tauhat {

template <class T>
class GapCascade {
 public:
  using Scalar = T;
  using Model = Powertrain<T>;
  using Input = InputOf<Model>;
  using Belief = Gaussian<T, Model::kStates>;
  using Observer = SwitchingObserver<T>;
  using Positions = typename Observer::Positions;  // motor, load

  struct Tuning {
    Positions jerk;                        // spectral densities, rad^2/s^5: of both sides' first stage
    typename Observer::Tuning observer{};  // noise and sensors of the second
    T period = constant<T>(1e-3);          // s
  };

  // Of `start`, the first stage takes positions and velocities with their variances; the second takes the mean.
  GapCascade(const Model& drive, const Belief& start, const Tuning& tuning) noexcept
      : sides_{first_stage(start, Model::motor_position, tuning.jerk[0]),
               first_stage(start, Model::load_position, tuning.jerk[1])},
        observer_(drive, tuning.observer, tuning.period, Held::innovation),
        period_(tuning.period) {
    observer_.start(start.mean);
  }

  bool usable() const noexcept { return observer_.usable(); }
  T memory() const noexcept { return observer_.memory(); }  // s

  // The observer begins anew from where the first stage says that both sides are, as after a silence in which it
  // followed a prediction. The limits are known, so the gear is between them, or the shaft twisted by the rest.
  void restart() noexcept {
    StateOf<Model> x = observer_.whole_state();
    for (const int position : {Model::motor_position, Model::load_position}) {
      const auto& mean = side(position).mean;
      x[position] = mean[0], x[position + 1] = mean[1];
    }
    const T displacement = x[Model::motor_position] / model().ratio - x[Model::load_position];
    x[Model::gap_position] = std::clamp(displacement, x[Model::lower_limit], x[Model::upper_limit]);
    observer_.start(x);
    since_ = commanded_ = T(0);
  }
  const Model& model() const noexcept { return observer_.model(); }
  GapMode mode() const noexcept { return observer_.mode(); }
  Positions positions() const noexcept { return {sides_[0].belief().mean[0], sides_[1].belief().mean[0]}; }
  // The first stage of the side that an output belongs to.
  const Gaussian<T, 3>& side(int output) const noexcept { return sides_[side_index(output)].belief(); }

  // The observer's state, carried on from its grid by the drive, and its stationary covariance.
  Belief belief() const noexcept {
    constexpr int kStates = Observer::kStates;
    Belief now;
    now.mean = observer_.whole_state();
    if (since_ > T(0)) now.mean = model().step(now.mean, Input(commanded_ / since_), since_).mean;
    T& position = now.mean[Model::gap_position];
    position = std::clamp(position, now.mean[Model::lower_limit], now.mean[Model::upper_limit]);
    now.covariance().template topLeftCorner<kStates, kStates>() = observer_.covariance();
    return now;
  }

  StepStatus predict(const Input& u, T dt) noexcept {
    if (!(dt > T(0)) || !std::isfinite(dt)) return StepStatus::interval_not_positive;
    const bool usable = u.allFinite();
    if (usable) input_ = u;
    while (dt > T(0)) {
      if (since_ == T(0)) measured_ = positions();  // with all pulses up to here
      const T step = std::min(dt, period_ - since_);
      for (auto& side : sides_)
        if (const StepStatus status = side.predict({}, step); status != StepStatus::ok) return status;
      commanded_ += step * input_[Model::command];
      since_ += step, dt -= step;
      // A period that is made up of several intervals may miss its length by rounding.
      if (since_ < constant<T>(0.999999) * period_) continue;
      observer_.step(commanded_ / since_, measured_);
      since_ = commanded_ = T(0);
    }
    return usable ? StepStatus::ok : StepStatus::input_held;
  }

  // Positions and velocities; nothing else is measured.
  Correction<T> correct(const Measurement<T>& z) noexcept {
    const bool is_velocity = z.output == Model::motor_velocity || z.output == Model::load_velocity;
    return sides_[side_index(z.output)].correct(
        {is_velocity ? Kinematic<T>::velocity : Kinematic<T>::position, z.value, z.variance});
  }

 private:
  using Side = Ekf<Kinematic<T>>;
  static constexpr std::size_t side_index(int output) noexcept {
    return output == Model::load_position || output == Model::load_velocity ? 1 : 0;
  }

  static Side first_stage(const Belief& start, int position, T jerk) noexcept {
    // An acceleration of any drive: 200 rad/s^2, forgotten after a few teeth.
    constexpr double kAcceleration = 4e4;
    const auto& p = start.covariance();
    return Side({jerk}, Side::Belief::from_variances(
                            {start.mean[position], start.mean[position + 1], T(0)},
                            {p(position, position), p(position + 1, position + 1), constant<T>(kAcceleration)}));
  }

  std::array<Side, 2> sides_;
  Observer observer_;
  T period_, since_ = T(0), commanded_ = T(0);  // since the grid's last instant: s, and the command's integral
  Positions measured_ = Positions::Zero();      // at that instant
  Input input_ = Input::Zero();
};

}  // namespace tauhat
