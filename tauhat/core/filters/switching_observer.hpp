// Where in its gap a gear is, by two observers with stationary gains that take turns (Lagerberg and Egardt, eq. 39):
// one for contact, one for the gap. The cheapest of the gap's filters: no covariance. In contact the position in the
// gap is pinned: without, it leaves the limit with every correction and the modes chatter.
//   x' = A_mode x + B u + K_mode (y - C x),   y the two positions
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "tauhat/core/filters/gap_mode.hpp"
#include "tauhat/core/linear/hold.hpp"
#include "tauhat/core/linear/riccati.hpp"
#include "tauhat/core/linear/spectrum.hpp"
#include "tauhat/core/models/powertrain.hpp"

namespace tauhat {

// What is held over a step: the innovation, where the samples are points; the measurement, where they are means.
enum class Held { innovation, measurement };

template <class T>
class SwitchingObserver {
 public:
  static constexpr int kStates = Powertrain<T>::gap_position + 1, kOutputs = 2;
  using State = Vector<T, kStates>;
  using Positions = Vector<T, kOutputs>;
  using Gain = Matrix<T, kStates, kOutputs>;

  // Densities of the state's noise, and of the two positions', as the stationary filter assumes them.
  struct Tuning {
    State noise;
    Positions sensors;
  };

  SwitchingObserver(const Powertrain<T>& drive, const Tuning& tuning, T dt, Held held) noexcept
      : drive_(drive), period_(dt) {
    for (const GapMode mode : {GapMode::gap, GapMode::upper}) {
      drive_.mode = mode;
      Phase& phase = mode == GapMode::gap ? gap_ : contact_;
      const Matrix<T, kStates> a = drive_.dynamics().template topLeftCorner<kStates, kStates>();
      phase.riccati = solve_continuous_riccati<T, kStates, kOutputs>(
          a, measured(), Matrix<T, kStates>(tuning.noise.asDiagonal()), tuning.sensors);
      Gain gain = continuous_gain<T, kStates, kOutputs>(phase.riccati, measured(), tuning.sensors);
      if (mode != GapMode::gap) gain.row(Powertrain<T>::gap_position).setZero();
      hold(a, gain, dt, held, phase);
    }
    drive_.mode = GapMode::gap;
  }

  bool usable() const noexcept { return contact_.riccati.converged && gap_.riccati.converged; }
  State state() const noexcept { return x_.template head<kStates>(); }
  const StateOf<Powertrain<T>>& whole_state() const noexcept { return x_; }  // with the limits
  const Powertrain<T>& model() const noexcept { return drive_; }             // in its mode
  GapMode mode() const noexcept { return drive_.mode; }
  // The limits are known, and stay as they are given here.
  void start(const StateOf<Powertrain<T>>& x) noexcept {
    x_ = x;
    find_mode();
  }
  // s, after which a start counts for a hundredth: by the slower of both modes. In contact the position in the gap is
  // pinned.
  T memory() const noexcept {
    constexpr double kLeft = 0.01;
    constexpr int kMoving = kStates - 1;
    const T in_contact = spectral_radius<T, kMoving>(contact_.transition.template topLeftCorner<kMoving, kMoving>());
    const T slowest = std::max(in_contact, spectral_radius<T, kStates>(gap_.transition));
    return slowest < T(1) ? period_ * std::log(constant<T>(kLeft)) / std::log(slowest)
                          : std::numeric_limits<T>::infinity();
  }
  // How far the state may be off in this mode, if noise and sensors are as the tuning says.
  Matrix<T, kStates> covariance() const noexcept {
    Matrix<T, kStates> p = (drive_.in_contact() ? contact_ : gap_).riccati.covariance;
    if (drive_.in_contact()) {
      p.row(Powertrain<T>::gap_position).setZero();
      p.col(Powertrain<T>::gap_position).setZero();
    }
    return p;
  }

  void step(T command, const Positions& y) noexcept {
    find_mode();
    const Phase& phase = drive_.mode == GapMode::gap ? gap_ : contact_;
    const State next = phase.transition * state() + phase.by_command * command + phase.by_positions * y;
    x_.template head<kStates>() = next;
    find_mode();
  }

 private:
  struct Phase {
    Riccati<T, kStates> riccati;
    Matrix<T, kStates> transition;
    State by_command;
    Gain by_positions;
  };

  static Matrix<T, kOutputs, kStates> measured() {
    Matrix<T, kOutputs, kStates> c = Matrix<T, kOutputs, kStates>::Zero();
    c(0, Powertrain<T>::motor_position) = c(1, Powertrain<T>::load_position) = T(1);
    return c;
  }

  // x+ = e^(A dt) x + integral (B u + K (y - C x)), or with A - K C for A and y alone.
  void hold(const Matrix<T, kStates>& a, const Gain& gain, T dt, Held held, Phase& phase) const {
    Matrix<T, kStates, 1 + kOutputs> inputs;
    inputs << State::Unit(Powertrain<T>::motor_torque) / drive_.lag, gain;
    const Matrix<T, kStates> free = held == Held::measurement ? Matrix<T, kStates>(a - gain * measured()) : a;
    const auto step = tauhat::held<T, kStates, 1 + kOutputs>(free, inputs, dt);
    phase.transition = step.transition;
    phase.by_command = step.by_input.col(0);
    phase.by_positions = step.by_input.template rightCols<kOutputs>();
    if (held == Held::innovation) phase.transition -= phase.by_positions * measured();
  }

  // The mode follows from the state alone: as if it came from the gap.
  void find_mode() noexcept {
    T& position = x_[Powertrain<T>::gap_position];
    position = std::clamp(position, x_[Powertrain<T>::lower_limit], x_[Powertrain<T>::upper_limit]);
    drive_.mode = GapMode::gap;
    drive_.mode = next_mode(drive_, x_, T(0));
  }

  Powertrain<T> drive_;
  T period_;
  Phase contact_, gap_;
  StateOf<Powertrain<T>> x_ = StateOf<Powertrain<T>>::Zero();
};

}  // namespace tauhat
