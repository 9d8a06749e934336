// The switching observer with a gain that follows its covariance through every change of mode: the filter of the whole
// powertrain (filters/gap_filter.hpp), corrected once a period with both positions, their noise taken for white.
//   noise of a step Q dt, variance of a position R / dt
// Its start and its settling are those of the stationary gains.
#pragma once

#include <algorithm>

#include "tauhat/core/filters/gap_filter.hpp"
#include "tauhat/core/filters/switching_observer.hpp"

namespace tauhat {

template <class T>
class TimeVaryingObserver {
 public:
  using Model = Powertrain<T>;
  using Stationary = SwitchingObserver<T>;
  using Tuning = typename Stationary::Tuning;
  using Positions = typename Stationary::Positions;
  using Belief = Gaussian<T, Model::kStates>;
  static constexpr int kStates = Stationary::kStates;

  TimeVaryingObserver(const Model& drive, const Tuning& tuning, T dt, PositionSample sample) noexcept
      : stationary_(drive, tuning, dt, sample),
        drive_(with_noise(drive, tuning)),
        filter_(drive_, Belief{}),
        variances_(tuning.sensors / dt),
        period_(dt),
        sample_(sample) {}

  bool usable() const noexcept { return stationary_.usable(); }
  T memory() const noexcept { return stationary_.memory(); }
  const Model& model() const noexcept { return filter_.model(); }
  GapMode mode() const noexcept { return filter_.mode(); }
  const StateOf<Model>& whole_state() const noexcept { return filter_.belief().mean; }
  Matrix<T, kStates> covariance() const noexcept {
    return filter_.belief().covariance().template topLeftCorner<kStates, kStates>();
  }
  StateOf<Model> ahead(T command, T dt) const noexcept { return kept_inside(model(), whole_state(), command, dt); }

  // The limits are known, and stay as they are given here.
  void start(const StateOf<Model>& x) noexcept {
    stationary_.start(x);
    Belief prior;
    prior.mean = stationary_.whole_state();
    prior.covariance().template topLeftCorner<kStates, kStates>() = stationary_.covariance();
    drive_.mode = stationary_.mode();
    filter_ = GapFilter<T>(drive_, prior);
  }

  // Points are those of the period's start; a mean belongs to its middle.
  void step(T command, const Positions& y) noexcept {
    const T before = sample_ == PositionSample::mean ? period_ / T(2) : T(0);
    advance(command, before);
    filter_.correct({Model::motor_position, y[0], variances_[0]});
    filter_.correct({Model::load_position, y[1], variances_[1]});
    advance(command, period_ - before);
  }

 private:
  static Model with_noise(Model drive, const Tuning& tuning) noexcept {
    drive.noise.setZero();
    drive.noise.template head<kStates>() = tuning.noise;
    return drive;
  }

  // Steps that are short beside the drive's fastest motion, as its series asks for.
  void advance(T command, T way) noexcept {
    if (!(way > T(0))) return;
    const T steps = std::max(T(1), T(std::ceil(way * drive_.fastest_rate() / constant<T>(0.1))));
    for (T i = T(0); i < steps; i += T(1)) filter_.predict(InputOf<Model>(command), way / steps);
  }

  Stationary stationary_;
  Model drive_;
  GapFilter<T> filter_;
  Positions variances_;
  T period_;
  PositionSample sample_;
};

}  // namespace tauhat
