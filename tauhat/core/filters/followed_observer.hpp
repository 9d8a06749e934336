// The switching observer (switching_observer.hpp), and how far it may be off: its gains are stationary, but the gear is
// in neither mode for long, so that neither mode's stationary covariance is that of its error. With the transition F of
// a step in its mode, the error goes on as x' = A x does less what the positions correct, and
//   P+ = F P F^T + G (R / dt) G^T + Q
// A landing takes an error d of the position in the gap with it: the gear was there d / h earlier or later, and the
// shaft has pressed as much longer, with T_s = c h. To first order (the saltation of a hybrid system)
//   w_m -= c d / (i J_m),   w_l += c d / J_l,   th_b = limit
// It costs a product of 7 x 7 a step, and the state is the same: a controller may do without.
#pragma once

#include <array>

#include "tauhat/core/filters/switching_observer.hpp"
#include "tauhat/core/linear/hold.hpp"

namespace tauhat {

// What landing makes of an error, where the limits are known.
template <class T, int N>
Matrix<T, N> landing(const Powertrain<T>& drive) noexcept {
  using P = Powertrain<T>;
  Matrix<T, N> after = Matrix<T, N>::Identity();
  after(P::gap_position, P::gap_position) = T(0);
  after(P::motor_velocity, P::gap_position) = -drive.damping / (drive.ratio * drive.motor_inertia);
  after(P::load_velocity, P::gap_position) = drive.damping / drive.load_inertia;
  return after;
}

template <class T>
class FollowedObserver {
 public:
  using Observer = SwitchingObserver<T>;
  using Tuning = typename Observer::Tuning;
  using Positions = typename Observer::Positions;
  using Model = Powertrain<T>;
  static constexpr int kStates = Observer::kStates;

  FollowedObserver(const Model& drive, const Tuning& tuning, T dt, PositionSample sample) noexcept
      : observer_(drive, tuning, dt, sample), landing_(landing<T, kStates>(drive)), sensors_(tuning.sensors / dt) {
    Model in_mode = drive;
    for (const GapMode mode : {GapMode::gap, GapMode::upper}) {
      in_mode.mode = mode;
      const Matrix<T, kStates> a = in_mode.dynamics().template topLeftCorner<kStates, kStates>();
      noise_[mode == GapMode::gap ? 0 : 1] =
          sampled_noise<T, kStates, kStates>(a, Matrix<T, kStates>::Identity(), tuning.noise, dt);
    }
  }

  bool usable() const noexcept { return observer_.usable(); }
  T memory() const noexcept { return observer_.memory(); }
  const Model& model() const noexcept { return observer_.model(); }
  GapMode mode() const noexcept { return observer_.mode(); }
  const StateOf<Model>& whole_state() const noexcept { return observer_.whole_state(); }
  StateOf<Model> ahead(T command, T dt) const noexcept { return observer_.ahead(command, dt); }
  const Matrix<T, kStates>& covariance() const noexcept { return covariance_; }

  void start(const StateOf<Model>& x) noexcept {
    observer_.start(x);
    covariance_ = observer_.covariance();
  }

  void step(T command, const Positions& y) noexcept {
    const auto& phase = observer_.phase();
    const bool in_contact = model().in_contact();
    covariance_ = (phase.transition * covariance_ * phase.transition.transpose() +
                   phase.by_positions * sensors_.asDiagonal() * phase.by_positions.transpose() + noise_[in_contact])
                      .eval();
    observer_.step(command, y);
    if (!model().in_contact()) return;
    if (!in_contact) covariance_ = (landing_ * covariance_ * landing_.transpose()).eval();
    covariance_.row(Model::gap_position).setZero();
    covariance_.col(Model::gap_position).setZero();
  }

 private:
  Observer observer_;
  Matrix<T, kStates> landing_, covariance_ = Matrix<T, kStates>::Zero();
  std::array<Matrix<T, kStates>, 2> noise_;  // of a step, in the gap and in contact
  Positions sensors_;                        // variances of the positions
};

}  // namespace tauhat
