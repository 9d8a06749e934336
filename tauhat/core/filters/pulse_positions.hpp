// The positions of motor and load from their pulses, each by a filter of its own that is corrected as a tooth passes
// and knows nothing of the drive (models/kinematic.hpp): the event-based filter of Lagerberg and Egardt. Alone it tells
// the displacement of the transmission; before another filter, on an even grid, it stands for sensors.
#pragma once

#include <array>

#include "tauhat/core/filters/ekf.hpp"
#include "tauhat/core/filters/switching_observer.hpp"
#include "tauhat/core/models/kinematic.hpp"

namespace tauhat {

template <class T>
class PulsePositions {
 public:
  using Scalar = T;
  using Model = Powertrain<T>;
  using Input = InputOf<Model>;
  using Belief = Gaussian<T, Model::kStates>;
  using Positions = typename SwitchingObserver<T>::Positions;         // motor, load
  using Tuning = Positions;                                           // spectral densities of the jerk, rad^2/s^5
  static constexpr PositionSample kSample = PositionSample::instant;  // what is read is that of an instant

  // Of `start`, positions and velocities with their variances.
  PulsePositions(const Belief& start, const Tuning& jerk) noexcept
      : sides_{filter_of(start, Model::motor_position, jerk[0]), filter_of(start, Model::load_position, jerk[1])} {}
  // Alone: the drive gives the ratio.
  PulsePositions(const Model& drive, const Belief& start, const Tuning& jerk) noexcept : PulsePositions(start, jerk) {
    drive_ = drive;
  }

  const Model& model() const noexcept { return drive_; }
  // The filter of the side that an output belongs to.
  const Gaussian<T, 3>& side(int output) const noexcept { return sides_[side_index(output)].belief(); }
  Positions positions() const noexcept { return {sides_[0].belief().mean[0], sides_[1].belief().mean[0]}; }
  // Position and velocity.
  Vector<T, 2> motion(int position) const noexcept { return side(position).mean.template head<2>(); }

  // Both sides' positions and velocities; all else is zero.
  Belief belief() const noexcept {
    Belief all;
    for (const int position : {Model::motor_position, Model::load_position}) {
      const auto& one = side(position);
      all.mean.template segment<2>(position) = one.mean.template head<2>();
      all.covariance().template block<2, 2>(position, position) = one.covariance().template topLeftCorner<2, 2>();
    }
    return all;
  }

  // A period begins: what the second stage reads at its end is the position here, with all pulses so far.
  void begin_period() noexcept { measured_ = positions(); }
  const Positions& measured() const noexcept { return measured_; }

  StepStatus advance(T dt) noexcept {
    for (auto& side : sides_)
      if (const StepStatus status = side.predict({}, dt); status != StepStatus::ok) return status;
    return StepStatus::ok;
  }
  StepStatus predict(const Input&, T dt) noexcept { return advance(dt); }

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

  static Side filter_of(const Belief& start, int position, T jerk) noexcept {
    // An acceleration of any drive: 200 rad/s^2, forgotten after a few teeth.
    constexpr double kAcceleration = 4e4;
    const auto& p = start.covariance();
    return Side({jerk}, Side::Belief::from_variances(
                            {start.mean[position], start.mean[position + 1], T(0)},
                            {p(position, position), p(position + 1, position + 1), constant<T>(kAcceleration)}));
  }

  std::array<Side, 2> sides_;
  Model drive_{};
  Positions measured_ = Positions::Zero();
};

}  // namespace tauhat
